/** Blobs are content-addressed; only the tree below the root gives their order. */
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { RowValue } from './row-value.ts'

export interface MessageBlob {
  readonly id: string
  readonly text: string
}

/** Deeper than any real tree; stops cycles. */
const DEPTH = 40
const ID_BYTES = 32
const BRACE = 0x7b

export function* messageBlobs(database: SourceDatabase, root: string): Generator<MessageBlob, void, undefined> {
  yield* below(database, { id: root, seen: new Set(), depth: 0 })
}

interface At {
  readonly id: string
  /** Exhausted tree blobs only: a message may occur twice. */
  readonly seen: Set<string>
  readonly depth: number
}

function* below(database: SourceDatabase, { id, seen, depth }: At): Generator<MessageBlob, void, undefined> {
  const data = blob(database, id)
  if (data === undefined || depth > DEPTH || seen.has(id)) return
  if (data[0] === BRACE) {
    yield { id, text: data.toString('utf8') }
    return
  }
  seen.add(id)
  for (const child of references(data, 0)) yield* below(database, { id: child, seen, depth: depth + 1 })
}

function* references(message: Buffer, depth: number): Generator<string, void, undefined> {
  if (depth > DEPTH) return
  for (const { bytes } of protoFields(message) ?? []) {
    if (bytes === undefined) continue
    if (bytes.length === ID_BYTES) yield bytes.toString('hex')
    else if (bytes.length > ID_BYTES) yield* references(bytes, depth + 1)
  }
}

/** The root stores the folder as text. */
export function rootFolder(database: SourceDatabase, root: string): string | undefined {
  const data = blob(database, root)
  if (data === undefined || data[0] === BRACE) return undefined
  for (const { bytes } of protoFields(data) ?? []) {
    const text = bytes?.toString('utf8') ?? ''
    if (/^(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\0-\x1f]{2,1000}$/.test(text)) return text
  }
  return undefined
}

export function* loneBlobs(database: SourceDatabase): Generator<MessageBlob, void, undefined> {
  for (const { id, data } of database.rows<{ id: string; data: RowValue }>('select id, data from blobs order by rowid')) {
    const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.isBuffer(data) ? data : undefined
    if (bytes?.[0] === BRACE) yield { id, text: bytes.toString('utf8') }
  }
}

function blob(database: SourceDatabase, id: string): Buffer | undefined {
  const data = database.first<{ data: RowValue }>('select data from blobs where id = ?', id)?.data
  if (typeof data === 'string') return Buffer.from(data)
  return Buffer.isBuffer(data) ? data : undefined
}

export interface ProtoField {
  readonly field: number
  readonly bytes: Buffer | undefined
}

/** Schemaless protobuf parse; undefined if invalid. */
export function protoFields(message: Buffer): ProtoField[] | undefined {
  const fields: ProtoField[] = []
  let at = 0
  while (at < message.length) {
    const key = varint(message, at)
    if (key === undefined || key.value < 8) return undefined
    at = key.end
    const field = Math.floor(key.value / 8)
    const wire = key.value % 8
    if (wire === 0) {
      const number = varint(message, at)
      if (number === undefined) return undefined
      at = number.end
      fields.push({ field, bytes: undefined })
    } else if (wire === 2) {
      const length = varint(message, at)
      if (length === undefined || length.end + length.value > message.length) return undefined
      at = length.end + length.value
      fields.push({ field, bytes: message.subarray(length.end, at) })
    } else if (wire === 1 || wire === 5) {
      at += wire === 1 ? 8 : 4
      if (at > message.length) return undefined
      fields.push({ field, bytes: undefined })
    } else return undefined
  }
  return fields
}

/** At most ten bytes; values above 2^53 are inexact, so never a length. */
function varint(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0
  for (let n = 0; n < 10; n += 1) {
    const byte = bytes[from + n]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * n)
    if (byte < 0x80) return { value, end: from + n + 1 }
  }
  return undefined
}
