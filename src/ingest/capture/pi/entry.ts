/** One line of a session file as an entry of its tree: a name, and what it follows. Lines of the first version get names of their own. */
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'

export interface Entry {
  readonly id: string
  readonly fields: Fields
  readonly type: string
  /** null is the beginning; undefined where the line does not say: the line before it. */
  readonly parent: string | null | undefined
  readonly timestamp: number | undefined
  /** What the line is, whatever its name: copies of it in other files have it too. */
  readonly hash: string
}

/** Names of this and of other entries: they are new in every file that was converted. */
const ENVELOPE: ReadonlySet<string> = new Set(['id', 'parentId', 'type', 'timestamp', 'firstKeptEntryId', 'firstKeptEntryIndex', 'fromId'])

export function entryOf(fields: Fields): Entry {
  const type = String(fields.type)
  const hash = contentHash(fields, type)
  const parent = fields.parentId === null ? null : textOf(fields.parentId)
  const timestamp = parseTimestamp(fields.timestamp) ?? parseTimestamp(fieldsOf(fields.message)?.timestamp)
  return { id: textOf(fields.id) ?? madeName(hash), fields, type, parent, timestamp, hash }
}

/** The name of a line that has none: the same in every copy of it. */
export function madeName(hash: string): string {
  return `e-${hash}`
}

/** Type, time and content. Ids are short, and say nothing about sameness. */
function contentHash(fields: Fields, type: string): string {
  const content: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) if (!ENVELOPE.has(key)) content[key] = key === 'message' ? asNow(fields.message) : fields[key]
  return shortHash(16, type, '\n', String(fields.timestamp ?? ''), '\n', JSON.stringify(content))
}

/** Before version 3 a `custom` message was called `hookMessage`; converted files have the new name. */
function asNow(message: unknown): unknown {
  const fields = fieldsOf(message)
  return fields?.role === 'hookMessage' ? { ...fields, role: 'custom' } : message
}
