/** Text in columns and lines: aligned tables, wrapping, shortening. Widths are those of a terminal, where CJK takes two cells. */

/** Wide by Unicode's own table, and emoji that are shown as pictures. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u
/** Makes a picture of the sign before it. */
const AS_EMOJI = '\ufe0f'

function cells(character: string): number {
  if (character < '\u0300') return 1
  if (ZERO.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Cells that a text without control sequences takes; where terminals differ, the most. */
export function width(text: string): number {
  let sum = 0
  let last = 0
  for (const character of text) {
    last = character === AS_EMOJI ? 2 - Math.max(last, 1) : cells(character)
    sum += last
  }
  return sum
}

/** At most `max` cells, on one line, with … where something was cut. */
export function shorten(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (width(line) <= max) return line
  return `${startOf(line, max - 1).trimEnd()}…`
}

/** As many whole characters, as people count them, as fit into `room` cells. */
function startOf(text: string, room: number): string {
  let kept = ''
  let used = 0
  for (const character of charactersOf(text, room)) {
    used += width(character)
    if (used > room) break
    kept += character
  }
  return kept
}

/** An emoji of several signs, or a letter with its marks, is one, unless it is wider than the room. */
function* charactersOf(text: string, room: number): Generator<string> {
  // No more of a long text is looked at than can fill the room.
  const start = text.slice(0, LONGEST_CHARACTER * (room + 1))
  if (PLAIN.test(start)) {
    yield* start
    return
  }
  for (const { segment } of new Intl.Segmenter().segment(start)) {
    if (width(segment) <= room) yield segment
    else yield* segment
  }
}

const LONGEST_CHARACTER = 32
/** Each sign of it is one character: the tables of all languages need not be loaded. */
const PLAIN = /^[ -~\u00a0-\u02ff\u2010-\u2027]*$/

export interface Column {
  readonly title: string
  readonly right?: boolean
  readonly max?: number
}

/** Rows under a line of titles, two spaces between columns, nothing after the last. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cut = rows.map((row) => columns.map(({ max }, i) => (max === undefined ? (row[i] ?? '') : shorten(row[i] ?? '', max))))
  const all = [columns.map((column) => column.title), ...cut]
  const widths = columns.map((_, i) => Math.max(...all.map((row) => width(row[i] ?? ''))))
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => {
        const pad = ' '.repeat((widths[i] ?? 0) - width(cell))
        return columns[i]?.right === true ? pad + cell : cell + pad
      })
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}

const LONGEST_WRAPPED = 1 << 20

/**
 * Breaks lines at spaces to fit `max` cells, each with `indent` before it. Spaces at the start of a line stay, and its continuation gets them
 * too: the shape of code survives. A word longer than the line is left whole, so that a path can be copied; on a terminal `long` is `break`,
 * and nothing reaches beyond the line.
 */
export function wrap(text: string, max: number, indent = '', long: 'whole' | 'break' = 'whole'): string {
  // Where words stay whole, narrower lines than this would be nothing but their ends.
  const room = Math.max(max - width(indent), long === 'whole' ? 20 : 1)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    // Nobody reads such a text line by line, and its words would take ten times its memory.
    if (paragraph.length > LONGEST_WRAPPED && long === 'whole') {
      lines.push(paragraph)
      continue
    }
    const text = paragraph.replaceAll('\t', TAB).trimEnd()
    const spaces = text.length - text.trimStart().length
    const lead = ' '.repeat(Math.min(spaces, Math.floor(room / 2)))
    const words = text.slice(spaces).split(' ')
    const left = room - lead.length
    let line = ''
    let used = 0
    for (const word of long === 'whole' ? words : words.flatMap((one) => piecesOf(one, left))) {
      const cost = width(word)
      if (line !== '' && used + 1 + cost > left) {
        lines.push(lead + line)
        line = word
        used = cost
      } else {
        used += line === '' ? cost : cost + 1
        line = line === '' ? word : `${line} ${word}`
      }
    }
    lines.push(line === '' ? '' : lead + line)
  }
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n')
}

/** A terminal would jump to its next stop, wherever that is. */
const TAB = '    '

function piecesOf(word: string, room: number): string[] {
  const pieces: string[] = []
  let rest = word
  while (rest.length > room / 2 && width(rest) > room) {
    const piece = startOf(rest, room)
    // A character of more cells than the line has is left to the terminal.
    const length = piece.length || rest.length
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest]
}

/** Label and value a line, the values aligned. */
export function pairs(rows: readonly (readonly [label: string, value: string])[]): string {
  const longest = Math.max(...rows.map(([label]) => width(label)))
  return rows.map(([label, value]) => `${label}${' '.repeat(longest - width(label))}  ${value}`).join('\n')
}
