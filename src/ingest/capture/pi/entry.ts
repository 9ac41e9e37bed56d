import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'

export interface Entry {
  readonly id: string
  readonly fields: Fields
  readonly type: string
  /** null: a root. Undefined: the previous line. */
  readonly parent: string | null | undefined
  readonly timestamp: number | undefined
  /** Content hash, equal in all copies. */
  readonly hash: string
}

/** Id fields, which differ in converted files. */
const ENVELOPE: ReadonlySet<string> = new Set(['id', 'parentId', 'type', 'timestamp', 'firstKeptEntryId', 'firstKeptEntryIndex', 'fromId'])

export function entryOf(fields: Fields): Entry {
  const type = String(fields.type)
  const hash = contentHash(fields, type)
  const parent = fields.parentId === null ? null : textOf(fields.parentId)
  const timestamp = parseTimestamp(fields.timestamp) ?? parseTimestamp(fieldsOf(fields.message)?.timestamp)
  return { id: textOf(fields.id) ?? madeName(hash), fields, type, parent, timestamp, hash }
}

export function madeName(hash: string): string {
  return `e-${hash}`
}

/** Ids are short, so they prove nothing. */
function contentHash(fields: Fields, type: string): string {
  const content: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) if (!ENVELOPE.has(key)) content[key] = key === 'message' ? asNow(fields.message) : fields[key]
  return shortHash(16, type, '\n', String(fields.timestamp ?? ''), '\n', JSON.stringify(content))
}

/** Before version 3, `custom` was `hookMessage`. */
function asNow(message: unknown): unknown {
  const fields = fieldsOf(message)
  return fields?.role === 'hookMessage' ? { ...fields, role: 'custom' } : message
}
