/**
 * Cuts what was said into sentences, as they stand in chats of people and agents: prose in any script, lists, tables, headings, code. A dot
 * inside a path, a version, a number or an abbreviation ends nothing. Pure.
 */

export interface Sentence {
  /** On one line, without the signs that only draw: stars of bold type, hashes of a heading, pipes at the edge of a table, fences. Code, fenced or indented, has its indentation. */
  readonly text: string
  /** A heading and a question say what comes next; of code each line stands for itself. */
  readonly kind: 'prose' | 'heading' | 'question' | 'code'
  /** On which line of the text it stands, from 0. */
  readonly line: number
}

/** Behind the end of a sentence: its mark, closing quotes and brackets, white space; in CJK scripts the mark alone. */
const END = /(?<=[.!?…]["'”’)\]*_`]{0,3})\s+(?=\S)|(?<=[。！？][」』”’）]?)(?=[^」』”’）\s])/u
/** What ends with a dot and goes on, in lower case: abbreviations, single letters, numbers of a list. */
const GOES_ON = /(?:^|[\s(["'“])(?:e\.g|i\.e|etc|vs|cf|ca|approx|resp|incl|no|fig|dr|mr|mrs|ms|prof|st|jr|z\.b|d\.h|bzw|\p{L}|\d{1,2})\.$/u
const MAY_END = /[.!?…]["'”’)\]*_`]{0,3}\s|[。！？]/u
/** What may follow an abbreviation's dot is decided by so many characters at most. */
const TAIL = 10
const SPACE = ' '.repeat(20)
const LONG_SPACE = /[^\S\n]{21,}/gu
const HEADING = /^\s*#{1,6}\s+(\S.*)$/
const BOLD_LINE = /^\s*(?:\d{1,2}[.)]\s*)?\*\*([^*]+)\*\*:?\s*$/
const BULLET = /^\s*(?:[-*+•>⏺⎿]\s+)+/u
const EDGE = /^\s*\|\s*|\s*\|\s*$/g
const ASKS = /[?？]["'”’)\]*_]{0,3}$/u
const LEADS = /^[^.!?]{1,80}:$/u
const UNEVEN = /\s\s|[^\S ]/
const FENCE = /^\s*(?:```|~~~)/
/** Code without a fence, by markdown's rule: so deep, below an empty line and no item of a list. */
const DEEP = /^(?: {4}| {0,3}\t)\s*\S/
const ITEM = /^\s*(?:[-*+•>⏺⎿]|\d{1,3}[.)])\s/u
const RULE = /^[\s|:*_=+─━═╌┄│┼├┤┌┐└┘-]*$/u

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  let code = false
  let indented = false
  let belowEmpty = true
  let inList = false
  // Patterns that begin with white space try each place of a long run.
  for (const [at, line] of text.replace(LONG_SPACE, SPACE).split('\n').entries()) {
    const isEmpty = line.trim() === ''
    if (FENCE.test(line)) code = !code
    else if (RULE.test(line)) indented &&= isEmpty
    else if (code) found.push({ text: line.trimEnd(), kind: 'code', line: at })
    else if (DEEP.test(line) && !inList && (indented || belowEmpty)) {
      found.push({ text: line.trimEnd(), kind: 'code', line: at })
      indented = true
    } else {
      indented = false
      inList = ITEM.test(line) || (inList && /^\s/.test(line))
      inLine(line, at, found)
    }
    belowEmpty = isEmpty
  }
  return found
}

function inLine(line: string, at: number, found: Sentence[]): void {
  const heading = HEADING.exec(line)?.[1] ?? BOLD_LINE.exec(line)?.[1]
  if (heading !== undefined) {
    found.push({ text: plain(heading), kind: 'heading', line: at })
    return
  }
  const item = line.replace(BULLET, '')
  const body = item.includes('|') ? item.replace(EDGE, '') : item
  const add = (part: string) => {
    const sentence = plain(part)
    if (sentence !== '') found.push({ text: sentence, kind: kindOf(sentence), line: at })
  }
  // Most lines are one sentence, and looking back from every place in them takes long.
  if (!MAY_END.test(body)) {
    add(body)
    return
  }
  let open: string[] = []
  let tail = ''
  for (const part of body.split(END)) {
    if (open.length > 0 && !GOES_ON.test(tail.toLowerCase())) {
      add(open.join(' '))
      open = []
    }
    tail = (open.length === 0 ? part : `${tail} ${part}`).slice(-TAIL)
    open.push(part)
  }
  add(open.join(' '))
}

function kindOf(sentence: string): Sentence['kind'] {
  if (ASKS.test(sentence)) return 'question'
  return sentence.endsWith(':') && LEADS.test(sentence) ? 'heading' : 'prose'
}

function plain(text: string): string {
  const drawn = text.includes('**') ? text.replaceAll('**', '') : text
  return (UNEVEN.test(drawn) ? drawn.replace(/\s+/g, ' ') : drawn).trim()
}
