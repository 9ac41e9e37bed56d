/** Detects a message that revokes the previous pick: "no wait, the other one", "undo that". In doubt false. */

const LONGEST = 200

const AGAIN =
  "(?:no|nope|oh|oops|sorry|hm+|wait|hold on|hang on|actually|on second thoughts?|i(?:'ve| have)? changed my mind|scratch that|never ?mind(?: that)?)"
const LEAD = `(?:${AGAIN}(?:[\\s,.!…:–—-]+|$))`
const END = '(?=\\s*(?:$|[.,;:!–—]|\\((?!s\\))|(?:please|instead|now|for me|because|since|and|then|again)\\b))'

const UNDO = new RegExp(
  `^${LEAD}*(?:please |just )?(?:(?:undo|revert|scratch|discard) (?:that|this|it|(?:all|both) of (?:that|this|it)|your last changes?|the last change)|(?:roll|take|put) (?:that|this|it) back)${END}`,
  'i',
)
const CHANGED = /^(?:(?:oh|hm+|sorry|wait|actually|no)[\s,.!…–—-]+)*(?:i(?:'ve| have)? changed my mind|on second thoughts?,? no)\b/i
const NOT_THAT = new RegExp(`^${LEAD}+(?:please )?(?:don't|do not)(?: do (?:that|this|it))?${END}`, 'i')
const CHOICE =
  "(?:let's |lets |please |rather |i'd rather |i mean |i meant |better )*(?:(?:use|go with|go for|take|do|pick|choose|try|keep) )?"
const OTHER = new RegExp(`^${LEAD}+${CHOICE}the other (?:one|option|way|approach|version|variant)${END}`, 'i')
const PICKED =
  /^(?:\W*(?:ok(?:ay)?|yes|yeah|sure|let's|go|with|do|use|take|option|number|the)\b)*\W*(\d{1,2}|[a-e]|first|second|third|fourth|fifth|last)\b/i
const LABEL =
  '(?:(?:the )?(?:option|number|approach|nr\\.?|#) ?|the )?(\\d{1,2}|[a-e]|first|second|third|fourth|fifth|last)(?: one| option| approach)?'
const ANOTHER = new RegExp(`^${LEAD}+${CHOICE}${LABEL}${END}`, 'i')
const INSTEAD = new RegExp(
  `^(?:let's |please )?(?:use|go with|take|pick|choose) (?:${LABEL}|the other (?:one|option|way|approach)) instead\\b`,
  'i',
)

const ORDINALS: Readonly<Record<string, string>> = {
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  a: '1',
  b: '2',
  c: '3',
  d: '4',
  e: '5',
}

export function takesBack(text: string, picked: string): boolean {
  const said = text.trim().replaceAll('’', "'")
  if (said === '' || said.length > LONGEST || asks(said)) return false
  if ([UNDO, CHANGED, NOT_THAT, OTHER].some((rule) => rule.test(said))) return true
  const other = ANOTHER.exec(said) ?? INSTEAD.exec(said)
  if (other === null) return false
  const before = labelOf(PICKED.exec(picked.trim())?.[1])
  return other[1] === undefined || before === undefined || labelOf(other[1]) !== before
}

function labelOf(word: string | undefined): string | undefined {
  const lower = word?.toLowerCase()
  return lower === undefined ? undefined : (ORDINALS[lower] ?? lower)
}

function asks(said: string): boolean {
  return /^[^.!?\n]*(?:[.!](?!\s)[^.!?\n]*)*\?/.test(said)
}
