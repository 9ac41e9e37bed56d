/** Purpose of environment variables according to documents and comments. Never values. */
import { plainLine } from '../plain-line.ts'

const LONGEST = 200
const SHORTEST = 12
const FEWEST_WORDS = 3
const MOST_LINES = 4
const NUMBER = /^ {0,8}\d{1,6}(?:→|\t|: ?|\| ?)/
const COMMENT = /^\s*(?:\/\/+!?|#+|\/?\*+|--|;;)\s?(.*?)(?:\*\/)?\s*$/
/** A trailing comment: not the `//` of an address or a `#` inside a word. */
const TRAILING = /\s(?:\/\/|#)\s+(\S.*)$/
const BEHIND_NAME = /^(?:=[^`\s]*)?[`*]*(?: \([^)\n]{1,60}\))?\s*(?::|—|–| -|=)\s+(.+)$/
const NO_PURPOSE = /^(?:nolint|eslint|noqa|TODO|FIXME|XXX|go:|@|t\.|Copyright)|[{};]\s*$|:=|\w\(\)/

export function purposesIn(text: string, names: readonly string[], kind: 'code' | 'document'): Map<string, string> {
  const lines = text.split('\n').map((line) => line.replace(NUMBER, ''))
  const found = new Map<string, string>()
  for (const name of names) {
    const at = lines.flatMap((line, i) => (holds(line, name) ? [i] : []))
    for (const said of at.map((i) => (kind === 'document' ? inDocument(lines[i] ?? '', name) : inCode(lines, i, name)))) {
      if (said === undefined || found.has(name)) continue
      found.set(name, said)
    }
  }
  return found
}

function holds(line: string, name: string): boolean {
  const at = line.indexOf(name)
  return at >= 0 && line.length < 2_000 && !/\w/.test(line[at - 1] ?? '') && !/\w/.test(line[at + name.length] ?? '')
}

function inDocument(line: string, name: string): string | undefined {
  const cells = /^\s*\|(.+)\|\s*$/
    .exec(line)?.[1]
    ?.split('|')
    .map((cell) => cell.trim())
  if (cells !== undefined)
    return purpose(cells.slice(cells.findIndex((cell) => holds(cell, name)) + 1).sort((a, b) => b.length - a.length)[0] ?? '')
  const [, behind = ''] = line.split(name)
  const entry = BEHIND_NAME.exec(behind)?.[1]
  return purpose(entry ?? line.replace(/^\s*(?:[-*+>]|\d+\.)\s+/, ''))
}

function inCode(lines: readonly string[], at: number, name: string): string | undefined {
  const line = lines[at] ?? ''
  const own = COMMENT.exec(line)?.[1]
  if (own !== undefined) return holds(own, name) && !/^\s*[\w.]+ *=/.test(own) ? purpose(own) : undefined
  const behind = TRAILING.exec(line)?.[1]
  if (behind !== undefined) return purpose(behind)
  let from = at
  while (at - from < MOST_LINES && COMMENT.test(lines[from - 1] ?? '')) from -= 1
  return from === at
    ? undefined
    : purpose(
        lines
          .slice(from, at)
          .map((one) => COMMENT.exec(one)?.[1] ?? '')
          .join(' '),
      )
}

function purpose(said: string): string | undefined {
  const [first = ''] = plainLine(said, 2_000).split(/(?<=[.!])\s+(?=\p{Lu})/u)
  const text = first.trim()
  const isPurpose = text.length >= SHORTEST && text.length <= LONGEST && text.split(/\s+/).length >= FEWEST_WORDS && !NO_PURPOSE.test(text)
  return isPurpose ? text : undefined
}
