/**
 * Cuts what was said into sentences, as they stand in chats of people and agents: prose in any script, lists, tables, headings, code. A dot
 * inside a path, a version, a number or an abbreviation ends nothing. Pure.
 */

export interface Sentence {
  /** On one line, without the signs that only draw: stars of bold type, hashes of a heading, pipes at the edge of a table, fences. */
  readonly text: string
  /** A heading and a question say what comes next; of code each line stands for itself. */
  readonly kind: 'prose' | 'heading' | 'question' | 'code'
}

/** Behind the end of a sentence: its mark, closing quotes and brackets, white space; in CJK scripts the mark alone. */
const END = /(?<=[.!?…]["'”’)\]*_`]{0,3})\s+(?=\S)|(?<=[。！？][」』”’）]?)(?=[^」』”’）\s])/u
/** What ends with a dot and goes on: abbreviations, single letters, numbers of a list. */
const GOES_ON = /(?:^|[\s(["'“])(?:e\.g|i\.e|etc|vs|cf|ca|approx|resp|incl|no|fig|dr|mr|mrs|ms|prof|st|jr|z\.b|d\.h|bzw|\p{L}|\d{1,2})\.$/iu
const MAY_END = /[.!?…]["'”’)\]*_`]{0,3}\s|[。！？]/u
const SPACE = ' '.repeat(20)
const LONG_SPACE = /[^\S\n]{21,}/gu
const FENCE = /^\s*(?:```|~~~)/
const RULE = /^[\s|:*_=+─━═╌┄│┼├┤┌┐└┘-]*$/u

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  let code = false
  for (const raw of text.split('\n')) {
    const line = raw.replace(LONG_SPACE, SPACE) // patterns that begin with white space try each place of a long run
    if (FENCE.test(line)) code = !code
    else if (RULE.test(line)) continue
    else if (code) found.push({ text: plain(line), kind: 'code' })
    else found.push(...inLine(line))
  }
  return found
}

function inLine(line: string): Sentence[] {
  const heading = /^\s*#{1,6}\s+(\S.*)$/.exec(line)?.[1] ?? /^\s*(?:\d{1,2}[.)]\s*)?\*\*([^*]+)\*\*:?\s*$/.exec(line)?.[1]
  if (heading !== undefined) return [{ text: plain(heading), kind: 'heading' }]
  const body = line.replace(/^\s*(?:[-*+•>⏺⎿]\s+)+/u, '').replace(/^\s*\|\s*|\s*\|\s*$/g, '')
  const parts: string[] = []
  // Most lines are one sentence, and looking back from every place in them takes long.
  for (const part of MAY_END.test(body) ? body.split(END) : [body]) {
    const before = parts.at(-1)
    if (before !== undefined && GOES_ON.test(before)) parts[parts.length - 1] = `${before} ${part}`
    else parts.push(part)
  }
  return parts.map(plain).flatMap((sentence) => (sentence === '' ? [] : [{ text: sentence, kind: kindOf(sentence) }]))
}

function kindOf(sentence: string): Sentence['kind'] {
  if (/[?？]["'”’)\]*_]{0,3}$/u.test(sentence)) return 'question'
  return /^[^.!?]{1,80}:$/u.test(sentence) ? 'heading' : 'prose'
}

function plain(text: string): string {
  return text.replaceAll('**', '').replace(/\s+/g, ' ').trim()
}
