/**
 * Splits chat text into sentences: prose in any script, lists, tables, headings, code. Dots in paths, versions, numbers and abbreviations
 * do not split.
 */

export interface Sentence {
  /** One line without markup. Code keeps its indentation. */
  readonly text: string
  /** A heading or a question introduces what follows. Each line of code is its own. */
  readonly kind: 'prose' | 'heading' | 'question' | 'code'
  readonly line: number
}

/** After a sentence: its mark, closing quotes and brackets, white space. In CJK scripts the mark alone. */
const END = /(?<=[.!?…]["'”’)\]*_`]{0,3})\s+(?=\S)|(?<=[。！？][」』”’）]?)(?=[^」』”’）\s])/u
/** A dot that ends no sentence: abbreviations, single letters, list numbers. In lower case. */
const GOES_ON = /(?:^|[\s(["'“])(?:e\.g|i\.e|etc|vs|cf|ca|approx|resp|incl|no|fig|dr|mr|mrs|ms|prof|st|jr|z\.b|d\.h|bzw|\p{L}|\d{1,2})\.$/u
const MAY_END = /[.!?…]["'”’)\]*_`]{0,3}\s|[。！？]/u
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
/** Unfenced code by markdown's rule: indented, after an empty line, outside a list. */
const DEEP = /^(?: {4}| {0,3}\t)\s*\S/
const ITEM = /^\s*(?:[-*+•>⏺⎿]|\d{1,3}[.)])\s/u
const RULE = /^[\s|:*_=+─━═╌┄│┼├┤┌┐└┘-]*$/u

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  let code = false
  let indented = false
  let belowEmpty = true
  let inList = false
  // Patterns that begin with white space are slow on long runs of it.
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
  // Most lines are one sentence, and the lookbehind is slow.
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
