/** Text for a screen of a certain width: no line is wider, whatever is in it. */
import { width, wrap } from './layout.ts'

const TAB = '    '

/** As `wrap`, and a word that is longer than the line is broken. */
export function fitted(text: string, max: number, indent = ''): string {
  const room = Math.max(max, width(indent) + 1)
  return wrap(text.replaceAll('\t', TAB), room, indent)
    .split('\n')
    .flatMap((line) => (width(line) <= room ? [line] : broken(line, room, indent)))
    .join('\n')
}

function broken(line: string, max: number, indent: string): string[] {
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const character of line) {
    const cells = width(character)
    if (used + cells > max && current !== indent) {
      lines.push(current)
      current = indent
      used = width(indent)
    }
    current += character
    used += cells
  }
  return [...lines, current]
}
