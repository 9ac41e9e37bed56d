/** Reads content only of messages that may have changed. */
import type { SourceDatabase } from '../../../store/source-database.ts'
import { type Fields, isFields } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import type { NativeMessage } from './convert-message.ts'
import { V2_CONVERSATION, v2Message } from './v2-message.ts'

export type MessageItem =
  | { readonly type: 'message'; readonly message: NativeMessage; readonly bytes: number }
  | { readonly type: 'same'; readonly id: string }
  | { readonly type: 'bad'; readonly reason: string }
  | { readonly type: 'unknown'; readonly name: string }

interface Named {
  readonly id: string
  readonly changed: number | null
}

/** `after`: older messages yield only their id; undefined reads all. */
export function* databaseMessages(db: SourceDatabase, session: string, after: number | undefined): Generator<MessageItem, void, undefined> {
  const first = count(db, 'message', session)
  const second = count(db, 'session_message', session, `and type in (${V2_CONVERSATION.map((type) => `'${type}'`).join(', ')})`)
  // A migrated session that continued is longer in the second format. Otherwise the first one also has what the second adds.
  if (second <= first) yield* firstFormat(db, session, after)
  else yield* secondFormat(db, session)
}

function count(db: SourceDatabase, table: string, session: string, where = ''): number {
  if (!db.columns(table).has('session_id')) return 0
  return db.first<{ n: number }>(`select count(*) as n from ${table} where session_id = ? ${where}`, session)?.n ?? 0
}

function* firstFormat(db: SourceDatabase, session: string, after: number | undefined): Generator<MessageItem, void, undefined> {
  const columns = db.columns('message')
  if (!columns.has('data')) return
  const hasParts = db.columns('part').has('data')
  const timed = columns.has('time_updated') && db.columns('part').has('time_updated')
  const changed = timed
    ? 'max(m.time_updated, coalesce((select max(p.time_updated) from part p where p.message_id = m.id), 0)) as changed'
    : 'null as changed'
  const order = columns.has('time_created') ? 'm.time_created, m.id' : 'm.id'
  for (const { id, changed: at } of db.rows<Named>(
    `select m.id, ${changed} from message m where m.session_id = ? order by ${order}`,
    session,
  )) {
    if (after !== undefined && at !== null && at < after) yield { type: 'same', id }
    else yield* oneMessage(db, id, hasParts)
  }
}

function* oneMessage(db: SourceDatabase, id: string, hasParts: boolean): Generator<MessageItem, void, undefined> {
  const row = db.first<{ data: unknown }>('select data from message where id = ?', id)
  const data = parsedObject(row?.data)
  if (data === undefined) {
    yield { type: 'bad', reason: `message ${id} is no JSON object` }
    return
  }
  let bytes = String(row?.data).length
  const parts: Fields[] = []
  for (const part of hasParts
    ? db.rows<{ id: string; data: unknown }>('select id, data from part where message_id = ? order by id', id)
    : []) {
    const fields = parsedObject(part.data)
    if (fields === undefined) yield { type: 'bad', reason: `part ${part.id} is no JSON object` }
    else parts.push({ ...fields, id: part.id })
    bytes += String(part.data).length
  }
  yield { type: 'message', message: { id, data, parts }, bytes }
}

export function compactionPart(db: SourceDatabase, message: string): Fields | undefined {
  if (!db.columns('part').has('data')) return undefined
  for (const part of db.rows<{ data: unknown }>('select data from part where message_id = ? order by id', message)) {
    const fields = parsedObject(part.data)
    if (fields?.type === 'compaction') return fields
  }
  return undefined
}

function* secondFormat(db: SourceDatabase, session: string): Generator<MessageItem, void, undefined> {
  const columns = db.columns('session_message')
  if (!columns.has('session_id') || !columns.has('data')) return
  const order = columns.has('seq') ? 'seq, id' : columns.has('time_created') ? 'time_created, id' : 'id'
  const sql = `select id, type, data from session_message where session_id = ? order by ${order}`
  for (const row of db.rows<{ id: string; type: string; data: unknown }>(sql, session)) {
    const data = parsedObject(row.data)
    const message = data === undefined ? undefined : v2Message({ id: row.id, type: row.type, data })
    if (data === undefined) yield { type: 'bad', reason: `message ${row.id} is no JSON object` }
    else if (message === undefined) yield { type: 'unknown', name: `message/${row.type}` }
    else yield { type: 'message', message, bytes: String(row.data).length }
  }
}

/** parseLine cuts injected memory and private text. */
function parsedObject(data: unknown): Fields | undefined {
  const { values } = parseLine(Buffer.isBuffer(data) ? data.toString('utf8') : String(data ?? ''))
  return values.length === 1 && isFields(values[0]) ? values[0] : undefined
}
