/**
 * Own sentences of a text, with offsets. Excludes code, quotes, headings, tables, output and agents' lists. Blanks inline code and
 * quotations at equal length.
 */
export interface Sentence {
  /** UTF-16 units of the whole text. */
  readonly start: number
  readonly end: number
  /** Same length as the span; apostrophes are straight. */
  readonly plain: string
}

const LONGEST = 360
const SHORTEST = 9
const LEAD_IN = 30

export interface SentenceOptions {
  /** Person to person: list items count, and mail programs may have wrapped lines. */
  readonly lists: boolean
}

export function* sentencesWith(text: string, wanted: RegExp, options: SentenceOptions): Generator<Sentence> {
  for (const [from, to] of spokenLines(text, options)) {
    const line = text.slice(from, to)
    if (line.search(wanted) === -1) continue
    for (const [start, end] of cut(line)) {
      if (end - start < SHORTEST || end - start > LONGEST) continue
      const plain = blanked(line.slice(start, end))
      if (plain.search(wanted) !== -1) yield { start: from + start, end: from + end, plain }
    }
  }
}

const FENCE = /^\s*(?:```|~~~)/
const QUOTED_BLOCK = /^\s*(?:"""|''')/
const NOT_SPEECH =
  /^(?:\s{4,}|\t|\s*(?:#{1,6}\s|>|\||[-=_*]{3,}\s*$|[$%❯➜]\s|<|[{}[\]]|\/\/|\/\*|\* @|@@|diff --git|[+-]{3} |(?:at|in) \S+\.\w+:\d|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|[⎿└├│●⏺✓✗✘✔☐☒]|(?:Co-Authored-By|Signed-off-by|From|To|Cc|Subject|Date|Sent): |-{2,} ?(?:FAIL|PASS|RUN)|=== ))/
const ITEM = /^\s*(?:[-*+•–]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+)/
/** "A) I want this" answers one of several questions. */
const ANSWER = /^\s*(?:[A-Za-z]|\d{1,2})[):]\s+/
const LABEL = /^[^\w\s]*\*\*[^*]{1,60}\*\*\s*(?:[-–—:]\s*)?/

function* spokenLines(text: string, { lists }: SentenceOptions): Generator<[number, number]> {
  let closes: RegExp | undefined
  for (let at = 0; at < text.length; ) {
    let next = endOfLine(text, at)
    const line = text.slice(at, next)
    const block = FENCE.test(line) ? FENCE : QUOTED_BLOCK.test(line) ? QUOTED_BLOCK : undefined
    if (closes !== undefined) closes = block === closes ? undefined : closes
    else if (block !== undefined) closes = block
    else if (!NOT_SPEECH.test(line)) {
      const item = ITEM.exec(line)
      if (item === null || lists) {
        const skipped = (item ?? ANSWER.exec(line))?.[0].length ?? 0
        const label = lists ? 0 : (LABEL.exec(line.slice(skipped))?.[0].length ?? 0)
        if (lists) next = endOfBroken(text, at, next)
        if (line.length > skipped + label) yield [at + skipped + label, next]
      }
    }
    at = next + 1
  }
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline
}

const BROKEN_FROM = 55
const BROKEN_TO = 100
const GOES_ON = /^[\p{Ll}\d(]/u
const LAST_OF_SENTENCE = /[.!?…:;]["'”’)\]]*\s*$/

function endOfBroken(text: string, from: number, to: number): number {
  let [start, end] = [from, to]
  while (end < text.length && end - start >= BROKEN_FROM && end - start <= BROKEN_TO) {
    const [at, after] = [end + 1, endOfLine(text, end + 1)]
    const line = text.slice(at, after)
    if (LAST_OF_SENTENCE.test(text.slice(start, end)) || !GOES_ON.test(line) || NOT_SPEECH.test(line) || ITEM.test(line)) break
    start = at
    end = after
  }
  return end
}

/**
 * A full stop needs a following space and no abbreviation or list number before. Matches runs only at their start: long runs are slow
 * otherwise.
 */
const END = /(?:(?<![.!?…])[.!?…]+["'”’)\]*]*|[。！？]|;)(?=\s|$)|(?<!\s)\s+[–—]\s+|\s-{1,2}\s|\s->\s/g
const SHORTENED = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|mr|mrs|ms|dr|st|jr|a\.m|p\.m)\.$/i
const LONGEST_SHORTENED = 8

function* cut(line: string): Generator<[number, number]> {
  let from = 0
  const piece = (to: number): [number, number] | undefined => {
    let start = from
    let end = to
    while (start < end && /\s/.test(line[start] as string)) start += 1
    while (end > start && /\s/.test(line[end - 1] as string)) end -= 1
    return end > start ? [start, end] : undefined
  }
  for (const found of line.matchAll(END)) {
    const to = found.index + found[0].length
    if (found[0].startsWith('.') && SHORTENED.test(line.slice(Math.max(from, found.index - LONGEST_SHORTENED), found.index + 1))) continue
    const dash = /^\s/.test(found[0])
    // A lead-in stays with its sentence: "You're right - the test proves nothing."
    if (dash && found.index - from < LEAD_IN) continue
    const one = piece(dash || found[0] === ';' ? found.index : to)
    if (one !== undefined) yield one
    from = to
  }
  const last = piece(line.length)
  if (last !== undefined) yield last
}

const HIDDEN = /`[^`]*`|"[^"]*"|“[^”]*”|«[^»]*»|(?<![\w'])'(?=\w)[^']{2,120}'(?!\w)|https?:\/\/\S+|<[^<>]{1,80}>/g

function blanked(sentence: string): string {
  return sentence
    .replaceAll('’', "'")
    .replaceAll('\n', ' ')
    .replace(HIDDEN, (hidden) => '_'.repeat(hidden.length))
}
