/** Widths are in terminal cells; CJK characters take two. */

/** Wide by Unicode's East Asian Width, plus emoji shown as pictures. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u
/** Variation selector 16: shows the preceding sign as emoji. */
const AS_EMOJI = '\ufe0f'

function cells(character: string): number {
  if (character < '\u0300') return 1
  if (ZERO.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Text must have no control sequences. Takes the widest where terminals differ. */
export function width(text: string): number {
  let sum = 0
  let last = 0
  for (const character of text) {
    last = character === AS_EMOJI ? 2 - Math.max(last, 1) : cells(character)
    sum += last
  }
  return sum
}

export function shorten(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (width(line) <= max) return line
  return `${startOf(line, max - 1).trimEnd()}…`
}

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

function* charactersOf(text: string, room: number): Generator<string> {
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
/** One code point per character: avoids loading the tables of Intl.Segmenter. */
const PLAIN = /^[ -~\u00a0-\u02ff\u2010-\u2027]*$/

export interface Column {
  readonly title: string
  readonly right?: boolean
  readonly max?: number
}

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
 * Breaks lines at spaces to fit `max` cells. Continuation lines repeat leading spaces, so that code keeps its shape. `whole` leaves long
 * words uncut, so that paths can be copied; `break` never exceeds the line.
 */
export function wrap(text: string, max: number, indent = '', long: 'whole' | 'break' = 'whole'): string {
  const room = Math.max(max - width(indent), long === 'whole' ? 20 : 1)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    // Splitting such a text would take ten times its memory, and nobody reads it by line.
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

const TAB = '    '

function piecesOf(word: string, room: number): string[] {
  const pieces: string[] = []
  let rest = word
  while (rest.length > room / 2 && width(rest) > room) {
    const piece = startOf(rest, room)
    // A character wider than the line is left to the terminal.
    const length = piece.length || rest.length
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest]
}

export function pairs(rows: readonly (readonly [label: string, value: string])[]): string {
  const longest = Math.max(...rows.map(([label]) => width(label)))
  return rows.map(([label, value]) => `${label}${' '.repeat(longest - width(label))}  ${value}`).join('\n')
}
