/** How to know a pi session file by its header. Never looks further than the first lines. */
import { parseJson } from '../../../core/nesting.ts'
import { type Fields, isFields, textOf } from '../fields.ts'

/** The first record of a file: no other format writes it so. */
export function isHeader(value: unknown): value is Fields {
  if (!isFields(value) || value.type !== 'session' || textOf(value.id) === undefined) return false
  return typeof value.timestamp === 'string' && (typeof value.cwd === 'string' || typeof value.version === 'number')
}

/** A header that lacks some of its fields; with what it must have made up, `name` for its id. */
export function looseHeader(value: unknown, name: string): Fields | undefined {
  if (!isFields(value) || value.type !== 'session') return undefined
  return { ...value, id: textOf(value.id) ?? name, timestamp: textOf(value.timestamp) ?? '' }
}

/** True where the beginning of a file, cut off anywhere, is that of a pi session: the header is its first line, or follows a title. */
export function beginsWithHeader(head: string): boolean {
  for (const line of head.replace(/^\ufeff/, '').split('\n', 8)) {
    if (line.trim() === '') continue
    const value = parsed(line)
    if (isHeader(value)) return true
    if (!isFields(value) || value.type !== 'title') return false
  }
  return false
}

function parsed(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined // cut off, or no JSON: no header either way
  }
}
