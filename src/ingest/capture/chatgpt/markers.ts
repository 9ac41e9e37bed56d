/** Citation marks in the text of an answer: runs of private-use characters that the page shows as links. Pure. */

export interface Unmarked {
  readonly text: string
  /** What was cut, and where in the text that is left: enough to put it back. */
  readonly marks: readonly (readonly [at: number, mark: string])[]
}

/** `U+E200 kind U+E202 argument … U+E201`; a mark whose end was lost goes as far as its letters do. Single marks are formatting. */
const MARK = /\ue200[^\ue200\ue201]*\ue201|\ue200(?:[a-z_]+(?:\ue202[\w.:-]*)*)?|[\ue201-\ue206]/g
const SEPARATOR = '\ue202'
const END = '\ue201'

export function withoutMarks(text: string): Unmarked {
  if (!/[\ue200-\ue206]/.test(text)) return { text, marks: [] }
  const marks: [number, string][] = []
  let rest = ''
  let from = 0
  for (const match of text.matchAll(MARK)) {
    rest += text.slice(from, match.index)
    marks.push([rest.length, match[0]])
    rest += shownOf(match[0])
    from = match.index + match[0].length
  }
  return { text: rest + text.slice(from), marks }
}

/** The words that a mark stands for, where it stands for words of the sentence: the name of a thing, the text of a link. */
function shownOf(mark: string): string {
  if (!mark.endsWith(END)) return ''
  const [kind, first = ''] = mark.slice(1, -1).split(SEPARATOR)
  if (kind === 'url') return first
  if (kind !== 'entity') return ''
  const name = /^\s*\[\s*"(?:[^"\\]|\\.)*"\s*,\s*("(?:[^"\\]|\\.)*")/.exec(first)?.[1]
  return name === undefined ? '' : wordOf(name)
}

function wordOf(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return '' // a broken escape: no word to show
  }
}
