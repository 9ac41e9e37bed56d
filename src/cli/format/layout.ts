/** Text in columns and lines: aligned tables, wrapping, shortening. Widths are those of a terminal, where CJK takes two cells. */

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u

function cells(character: string): number {
  if (character < '\u0300') return 1
  if (ZERO.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Cells that a text without control sequences takes. */
export function width(text: string): number {
  let sum = 0
  for (const character of text) sum += cells(character)
  return sum
}

/** At most `max` cells, on one line, with … where something was cut. */
export function shorten(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (width(line) <= max) return line
  let kept = ''
  let used = 0
  for (const character of line) {
    used += cells(character)
    if (used > max - 1) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

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

/** Breaks lines at spaces to fit `max` cells, each with `indent` before it. A word longer than the line is left whole. */
export function wrap(text: string, max: number, indent = ''): string {
  const room = Math.max(max - width(indent), 20)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    // Nobody reads such a text line by line, and its words would take ten times its memory.
    if (paragraph.length > LONGEST_WRAPPED) {
      lines.push(paragraph)
      continue
    }
    let line = ''
    let used = 0
    for (const word of paragraph.split(' ')) {
      const cost = width(word)
      if (line !== '' && used + 1 + cost > room) {
        lines.push(line)
        line = word
        used = cost
      } else {
        used += line === '' ? cost : cost + 1
        line = line === '' ? word : `${line} ${word}`
      }
    }
    lines.push(line)
  }
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n')
}

/** Label and value a line, the values aligned. */
export function pairs(rows: readonly (readonly [label: string, value: string])[]): string {
  const longest = Math.max(...rows.map(([label]) => width(label)))
  return rows.map(([label, value]) => `${label}${' '.repeat(longest - width(label))}  ${value}`).join('\n')
}
