/** Words that name no subject. */
const WEAK = new Set(
  `a about above again ahead all already also am an and any are as at back be been before below both but by can check comment comments commit commits
  continue could did do does done doing draft everything feedback few first fix following for from get give go good great had has have hello help
  here hey hi how i i'd i'll i'm i've if in into is issue issues it it's its just keep let let's lets like look looks make may me more my need needs
  next no nope not now of off ok okay on one open or other our out over plan please pls pr prs push put quickly really respond review right said
  same second see should so some something sorry still stuff sure take test tests than thank thanks that that's the their them then there these they thing
  things think this those thoughts through to too together try two understand up update us use very want was we we'll we're well were what what's
  when where which while who why will with work works would yeah yep yes yo you your address addressed branch change changes changed code file
  files implement merge implementation main`.split(/\s+/),
)
const ENOUGH_WORDS = 2
const ENOUGH_CJK = 5
const LONGEST = 10_000
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.-]*/gu
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** A link to an issue or pull request is a subject. */
const TRACKED = /\bhttps?:\/\/\S+\/(?:pull|issues?|merge_requests|browse|tickets?)\/\S+/i
const URL_OR_PATH = /\b[a-z]+:\/\/\S+|(?:^|\s)@?[~.]{0,2}\/\S+/gi

export function saysSomething(whole: string): boolean {
  const line = whole.slice(0, LONGEST)
  if (TRACKED.test(line)) return true
  const text = line.replace(URL_OR_PATH, ' ')
  if ((text.match(CJK)?.length ?? 0) >= ENOUGH_CJK) return true
  const strong = new Set<string>()
  for (const [word] of text.toLowerCase().replaceAll('’', "'").matchAll(WORD)) {
    const bare = word.replace(/[._'-]+$/, '')
    if (/\p{L}/u.test(bare) && bare.length > 1 && !WEAK.has(bare)) strong.add(bare)
  }
  return strong.size >= ENOUGH_WORDS
}

/** Machine-written lines: logs, stack traces, diffs, shells, tables, code. */
const PROGRAM_LINES = [
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d/,
  /^\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|FAIL|PASS)\b[\]:\s]|^(?:error|fatal|warning): /,
  /^at \S+ ?\(|^File "[^"]+", line \d|^Traceback |^goroutine \d|^panic: |^npm (?:err|warn)/i,
  /^(?:\+\+\+|---|@@|diff --git|index [0-9a-f]{7})/,
  /^(?:[$❯%#] ?)?(?:git|npm|npx|cd|ls|cat|go|curl|sudo|docker|make|python3?|node|mise|yarn|pnpm) (?!(?:the|an?|this|that|these|those|it|its|sure|both|all|ahead|back|through|with|for|to|over|my|our|your|me|us|some|every|each)\b)\S/,
  /^\S+@\S+[:~].*[$#%]/,
  /^[|+\-=*_~\s]{3,}$/,
  /^[{[<(].*[}\])>;,]$|^[}\])]/,
  /^(?:import|export|const|let|var|func|def|class|return|package|SELECT|INSERT) .*[;{(=]/,
  /^\S+\.\w{1,5}:\d+(?::\d+)?[:\s]/,
  /^exit (?:code|status) \d/i,
]

const LOOKED_AT = 1000

export function isProgramLine(line: string): boolean {
  const long = line.length > 2 * LOOKED_AT
  const seen = long ? `${line.slice(0, LOOKED_AT)}${line.slice(-LOOKED_AT)}` : line
  return PROGRAM_LINES.some((pattern) => pattern.test(seen))
}
