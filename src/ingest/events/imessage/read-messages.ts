/** Row ids are stable and ordered by arrival; edit dates and tapbacks reveal changes to old rows. */
import type { CountryCode } from 'libphonenumber-js/min'
import { cutMarked } from '../../../core/marked-text.ts'
import { plural } from '../../../core/text.ts'
import type { ThreadRecord } from '../../../ledgers/event-record.ts'
import { normalHandle } from '../../../ledgers/people/handle.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { ReadItem } from '../../adapter.ts'
import { type AttachmentsOf, attachmentReader } from './attachments.ts'
import { type Chats, type Conversation, type Handle, readChats, readHandles } from './chats.ts'
import { type Cursor, cursorFor, MOST_DELETED } from './cursor.ts'
import { ADAPTER, messageEvent } from './message-event.ts'
import { type MessageRow, selectMessages, sizeOf } from './message-row.ts'
import { isReaction, type ReactionsOf, reactionReader, targetOf } from './reactions.ts'
import { APPLE_EPOCH_MS, type Has, milliseconds, timeOf } from './schema.ts'

const PAGE_ROWS = 500
const PAGE_BYTES = 4 << 20
/** Tolerance for clock differences between devices. */
const EDIT_OVERLAP_MS = 7 * 86_400_000

export interface ReadMessagesOptions {
  readonly own: Handle | undefined
  readonly country: CountryCode | undefined
}

interface Reading {
  readonly db: SourceDatabase
  readonly has: Has
  readonly select: string
  readonly handles: ReadonlyMap<number, Handle>
  readonly ownHandle: (raw: string | null) => Handle | undefined
  readonly chats: Chats
  readonly attachmentsOf: AttachmentsOf
  readonly reactionsOf: ReactionsOf
  readonly top: number
  readonly threads: Set<string>
  readonly leftOut: { spam: number; deleted: number; undecoded: number; first?: string }
  /** Fallback time: the previous message's. */
  lastTime: number
  bytes: number
}

export function* readMessages(
  db: SourceDatabase,
  has: Has,
  carry: unknown,
  options: ReadMessagesOptions,
): Generator<ReadItem, void, undefined> {
  const top = db.first<{ top: number | null }>('select max(ROWID) as top from message')?.top ?? 0
  const handles = readHandles(db, has, options.country)
  const reading: Reading = {
    ...{ db, has, handles, top, ownHandle: ownHandles(options.own), select: selectMessages(has) },
    chats: readChats(db, has, handles),
    attachmentsOf: attachmentReader(db, has),
    reactionsOf: reactionReader(db, has, { handles, top }),
    ...{ threads: new Set<string>(), leftOut: { spam: 0, deleted: 0, undecoded: 0 }, lastTime: APPLE_EPOCH_MS, bytes: 0 },
  }
  const before = cursorFor(carry, db)
  const edited = latestEdit(reading, before)
  const cursor: Cursor = { ...before, tapbacks: top, edited: edited.latest, deleted: [] }
  for (const rows of inPages(again(reading, before, edited.rows))) yield* pageItems(rows, reading, cursor)
  for (;;) {
    const rows = nextPage(reading, cursor.upTo)
    if (rows.length === 0) break
    yield* pageItems(rows, reading, cursor)
    const last = rows.at(-1) as MessageRow
    cursor.upTo = last.rowid
    cursor.guid = last.guid
    yield { type: 'checkpoint', offset: reading.bytes, carry: { ...cursor } }
  }
  yield { type: 'checkpoint', offset: reading.bytes + 1, carry: { ...cursor } }
  for (const message of leftOut(reading.leftOut)) yield { type: 'warning', message }
}

function ownHandles(configured: Handle | undefined): Reading['ownHandle'] {
  const known = new Map<string, Handle>()
  return (raw) => {
    const text = raw?.trim() ?? ''
    if (text === '') return configured
    const handle = known.get(text) ?? { raw: text, normal: normalHandle(text) }
    known.set(text, handle)
    return handle
  }
}

function noteUndecoded({ leftOut }: Reading, guid: string): void {
  leftOut.undecoded += 1
  leftOut.first ??= guid
}

function* leftOut({ deleted, spam, undecoded, first }: Reading['leftOut']): Generator<string> {
  if (deleted > 0) yield `imessage left out ${plural(deleted, 'recently deleted message')}`
  if (spam > 0) yield `imessage left out ${plural(spam, 'message')} that Messages took for spam`
  if (undecoded > 0) yield `the text of ${plural(undecoded, 'message')} cannot be decoded (the first: ${first})`
}

function latestEdit({ db, has }: Reading, { upTo, edited }: Cursor): { latest: number; rows: number[] } {
  const columns = ['date_edited', 'date_retracted'].filter((column) => has('message', column))
  if (columns.length === 0) return { latest: 0, rows: [] }
  const when =
    columns.length === 1
      ? milliseconds(columns.join(''))
      : `max(${columns.map((column) => `ifnull(${milliseconds(column)}, 0)`).join(', ')})`
  let latest = edited
  const rows: number[] = []
  const sql = `select ROWID as rowid, ${when} as at from message where (${columns.map((column) => `${column} > 0`).join(' or ')}) and ${when} > ?`
  for (const { rowid, at } of db.rows<{ rowid: number; at: number }>(sql, edited === 0 ? 0 : edited - EDIT_OVERLAP_MS)) {
    latest = Math.max(latest, at)
    if (rowid <= upTo) rows.push(rowid)
  }
  return { latest, rows }
}

function* again(reading: Reading, before: Cursor, edited: readonly number[]): Generator<MessageRow> {
  const { db, has, select, top } = reading
  if (before.upTo === 0) return
  const seen = new Set<number>()
  const byRow = (rowid: number) => db.first<MessageRow>(`${select} where m.ROWID = ?`, rowid)
  const byGuid = (guid: string) => db.first<MessageRow>(`${select} where m.guid = ?`, guid)
  for (const rowid of [...edited, ...before.deleted]) {
    const row = seen.has(rowid) ? undefined : byRow(rowid)
    if (row !== undefined) yield row
    seen.add(rowid)
  }
  if (!has('message', 'associated_message_guid') || !has('message', 'associated_message_type')) return
  const tapbacks =
    'select cast(associated_message_guid as text) as associated, associated_message_type as type from message where ROWID > ? and ROWID <= ?'
  for (const { associated, type } of db.rows<{ associated: string | null; type: number | null }>(tapbacks, before.tapbacks, top)) {
    if (associated === null || !isReaction(type)) continue
    const row = byGuid(targetOf(associated).guid)
    // Later rows are read anyway.
    if (row === undefined || row.rowid > before.upTo || seen.has(row.rowid)) continue
    seen.add(row.rowid)
    yield row
  }
}

function nextPage({ db, select, top }: Reading, after: number): MessageRow[] {
  const rows = db.rows<MessageRow>(`${select} where m.ROWID > ? and m.ROWID <= ? order by m.ROWID limit ${PAGE_ROWS}`, after, top)
  const [page = []] = inPages(rows)
  return page
}

function* inPages(rows: Iterable<MessageRow>): Generator<MessageRow[]> {
  let page: MessageRow[] = []
  let bytes = 0
  for (const row of rows) {
    page.push(row)
    bytes += sizeOf(row)
    if (page.length < PAGE_ROWS && bytes < PAGE_BYTES) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

/** Tapbacks refer to other messages. */
function isMessage({ associated_message_guid: target, associated_message_type: type }: MessageRow): boolean {
  return target === null || !isReaction(type)
}

function* pageItems(page: readonly MessageRow[], reading: Reading, cursor: Cursor): Generator<ReadItem, void, undefined> {
  for (const row of page) reading.bytes += sizeOf(row)
  const rows = page.filter(isMessage)
  const ids = rows.map(({ rowid }) => rowid)
  const [chatsOf, deleted] = [joined(reading, ids), recentlyDeleted(reading, ids)]
  const attachments = reading.attachmentsOf(ids)
  const partsOf = ({ rowid, part_count }: MessageRow) => Math.max(part_count ?? 0, 1 + 2 * (attachments.get(rowid)?.length ?? 0))
  const targets = rows.flatMap((row) => (row.guid === null ? [] : [{ guid: row.guid, parts: partsOf(row) }]))
  const reactions = reading.reactionsOf(targets)
  for (const row of rows) {
    const { guid, rowid } = row
    reading.lastTime = timeOf(row.date) ?? reading.lastTime
    if (guid === null || guid === '') {
      yield { type: 'bad_line', line: 0, reason: `the message in row ${rowid} has no guid` }
      continue
    }
    // Rechecked rows were counted before.
    const isNew = rowid > cursor.upTo
    if (deleted.has(rowid)) {
      if (isNew) reading.leftOut.deleted += 1
      if (cursor.deleted.length < MOST_DELETED) cursor.deleted.push(rowid)
      continue
    }
    if (row.is_spam === 1) {
      if (isNew) reading.leftOut.spam += 1
      continue
    }
    const conversation = conversationOf(row, chatsOf.get(rowid), reading)
    const found = messageEvent(
      {
        ...{ row: { ...row, guid }, conversation, attachments: attachments.get(rowid) ?? [] },
        ...{ reactions: reactions.get(guid), fallback: reading.lastTime },
      },
      reading,
    )
    if (found === undefined) {
      yield { type: 'unknown', name: `item_type ${row.item_type}, group_action_type ${row.group_action_type}` }
      continue
    }
    if (found.undecoded) noteUndecoded(reading, guid)
    const thread = threadOf(conversation, found.event.timestamp, reading)
    if (thread !== undefined) yield { type: 'event', record: thread }
    yield { type: 'event', record: found.event }
  }
}

/** The first chat of each message: one in two chats is stored once. */
function joined({ db, chats }: Reading, ids: readonly number[]): Map<number, Conversation> {
  const found = new Map<number, Conversation>()
  const sql = `select message_id as message, chat_id as chat from chat_message_join where message_id in (select value from json_each(?))
    order by message_id, chat_id`
  for (const { message, chat } of db.rows<{ message: number; chat: number }>(sql, JSON.stringify(ids))) {
    const conversation = found.has(message) ? undefined : chats.ofChat(chat)
    if (conversation !== undefined) found.set(message, conversation)
  }
  return found
}

function recentlyDeleted({ db, has }: Reading, ids: readonly number[]): Set<number> {
  if (!has('chat_recoverable_message_join', 'message_id')) return new Set()
  const sql = 'select message_id as message from chat_recoverable_message_join where message_id in (select value from json_each(?))'
  return new Set([...db.rows<{ message: number }>(sql, JSON.stringify(ids))].map(({ message }) => message))
}

function conversationOf(row: MessageRow, found: Conversation | undefined, { chats, handles }: Reading): Conversation {
  if (found !== undefined) return found
  const room = row.cache_roomnames ? chats.ofRoom(row.cache_roomnames) : undefined
  return room ?? chats.withPerson(handles.get(row.handle_id ?? 0)?.normal)
}

function threadOf(conversation: Conversation, time: number, reading: Reading): ThreadRecord | undefined {
  const { sourceId, name, isGroup, participants, services } = conversation
  if (reading.threads.has(sourceId)) return undefined
  reading.threads.add(sourceId)
  const span = spanOf(reading, conversation.chats)
  return {
    ...{ type: 'thread', id: `${ADAPTER}:${sourceId}`, sourceId, channel: ADAPTER, agentId: 'main' },
    name: name === null ? null : cutMarked(name),
    metadata: { style: isGroup ? 'group' : 'direct', participants, services },
    createdAt: timeOf(span?.first) ?? time,
    updatedAt: timeOf(span?.last) ?? time,
  }
}

function spanOf({ db, has }: Reading, chats: readonly number[]): { first: number | null; last: number | null } | undefined {
  const dated = has('chat_message_join', 'message_date')
  const [column, from] = dated ? ['j.message_date', ''] : ['m.date', 'join message m on m.ROWID = j.message_id']
  return db.first(
    `select ${milliseconds(`min(${column})`)} as first, ${milliseconds(`max(${column})`)} as last from chat_message_join j ${from}
     where j.chat_id in (select value from json_each(?)) and ${column} > 0`,
    JSON.stringify(chats),
  )
}
