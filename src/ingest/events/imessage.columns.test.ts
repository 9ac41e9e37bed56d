import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { binaryPlist } from '../../../test/helpers/binary-plist.ts'
import { collectItems } from '../../../test/helpers/collect-items.ts'
import { appleTime, openMessages } from '../../../test/helpers/messages-database.ts'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { attributedBody } from '../../../test/helpers/typed-stream.ts'
import { imessage } from './imessage.ts'

const MINUTE = 60_000

/** Every feature once: replies, edits, unsent, renames, attachments, reactions. */
function write(path: string): void {
  const messages = openMessages(path)
  const sarah = messages.handle('+14155552671')
  const ben = messages.handle('ben@example.com')
  const chat = messages.chat({ guid: 'iMessage;-;+14155552671', style: 45, chat_identifier: '+14155552671', service_name: 'iMessage' }, [
    sarah,
  ])
  const group = messages.chat(
    { ...{ guid: 'iMessage;+;chat1', style: 43, chat_identifier: 'chat1', room_name: 'chat1' }, group_id: 'G', display_name: 'Boat' },
    [sarah, ben],
  )
  const version = (text: string) => ({ t: attributedBody(text), d: (NOON - 978_307_200_000) / 1000 })
  const edited = binaryPlist({ ec: { 0: [version('See you at ten?'), version('See you at ten')] }, otr: { 0: {} } })
  const date_edited = appleTime(NOON + 9 * MINUTE)
  const reaction = { associated_message_guid: 'p:0/B', associated_message_type: 2001 }
  const rows = [
    { guid: 'A', chat, from: sarah, columns: { text: 'See you at nine' } },
    { guid: 'B', chat, columns: { text: 'Fine', thread_originator_guid: 'A', thread_originator_part: '0:0:5' } },
    { guid: 'C', chat, from: sarah, columns: { text: 'See you at ten', message_summary_info: edited, date_edited } },
    { guid: 'D', chat, from: sarah, columns: { message_summary_info: binaryPlist({ rp: [0], otr: { 0: {} } }), date_edited } },
    { guid: 'E', chat: group, from: ben, columns: { item_type: 2, group_title: 'Boat' } },
    { guid: 'F', chat: group, from: ben, columns: { text: '\ufffc', cache_has_attachments: 1 } },
    { guid: 'T1', chat, from: sarah, columns: reaction },
    { guid: 'T2', chat, from: sarah, columns: { ...reaction, associated_message_type: 2006, associated_message_emoji: '🦩' } },
  ]
  for (const [n, row] of rows.entries()) {
    const rowid = messages.message({ ...row, at: NOON + n * MINUTE })
    if (row.guid === 'F')
      messages.attach(rowid, { guid: 'X', filename: '~/IMG_1.HEIC', mime_type: 'image/heic', transfer_name: 'IMG_1.HEIC' })
  }
  messages.close()
}

const TABLES = ['message', 'chat', 'handle', 'attachment', 'chat_message_join', 'chat_recoverable_message_join'] as const

/** Present in every release since OS X 10.8 and iOS 6. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...['message.ROWID', 'message.guid', 'message.is_from_me', 'message.date', 'message.handle_id', 'handle.ROWID', 'handle.id'],
  ...['chat.ROWID', 'attachment.ROWID', 'chat_message_join.chat_id', 'chat_message_join.message_id'],
])

function columnsOf(db: Database.Database, table: string): string[] {
  return (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
}

/** Like `drop column`, also for indexed columns. */
function drop(db: Database.Database, dropped: readonly string[]): void {
  for (const table of TABLES) {
    const all = columnsOf(db, table)
    const kept = all.filter((column) => !dropped.includes(`${table}.${column}`))
    if (kept.length === all.length) continue
    const key = kept.includes('ROWID') ? 'ROWID' : 'rowid'
    db.exec(`create table kept (${kept.map((column) => (column === key ? 'ROWID integer primary key' : column)).join(', ')});
      insert into kept select ${kept.join(', ')} from ${table}; drop table ${table}; alter table kept rename to ${table}`)
  }
}

async function read(dropped: readonly string[], name = 'chat.db') {
  const path = join(tempFolder(), name)
  write(path)
  const db = new Database(path)
  drop(db, dropped)
  db.close()
  const items = await collectItems(imessage({ platform: 'linux' }), path)
  const events = items.flatMap((item) => (item.type === 'event' && item.record.type === 'event' ? [item.record] : []))
  return { events, odd: items.filter(({ type }) => type !== 'event' && type !== 'checkpoint') }
}

/** Both columns are needed to tell a tapback from a message. */
const expected = (dropped: readonly string[]) =>
  dropped.some((column) => /associated_message_(guid|type)$/.test(column)) ? 'ABCDEF'.split('').concat('T1', 'T2') : 'ABCDEF'.split('')

it('whichever column a release does not have, every message is there', async () => {
  const path = join(tempFolder(), 'chat.db')
  write(path)
  const db = new Database(path)
  const columns = TABLES.flatMap((table) => columnsOf(db, table).map((column) => `${table}.${column}`)).filter((one) => !ALWAYS.has(one))
  db.close()
  expect(columns.length).toBeGreaterThan(60)
  for (const column of columns) {
    const { events, odd } = await read([column])
    expect([column, events.map(({ sourceId }) => sourceId), odd]).toEqual([column, expected([column]), []])
  }
})

const SINCE_18 = ['message.associated_message_emoji', 'message.schedule_type']
const SINCE_13 = [...SINCE_18, 'message.date_edited', 'message.date_retracted', 'message.part_count']
const SINCE_11 = [...SINCE_13, 'message.thread_originator_guid', 'message.thread_originator_part', 'message.is_spam']
const SINCE_10_13 = [...SINCE_11, 'message.reply_to_guid', 'chat.is_filtered', 'handle.person_centric_id', 'attachment.hide_attachment']
const RECOVERABLE = ['chat_id', 'message_id', 'delete_date'].map((column) => `chat_recoverable_message_join.${column}`)

it.each([
  ['macOS 14', 'chat.db', SINCE_18],
  ['macOS 12', 'chat.db', SINCE_13],
  ['macOS 10.15', 'chat.db', SINCE_11],
  ['macOS 10.12', 'chat.db', [...SINCE_10_13, 'message.destination_caller_id', 'chat_message_join.message_date']],
  ['iOS 15', 'sms.db', SINCE_13],
  ['iOS 9', '3d0d7e5fb2ce288813306e4d4636395e047a3d28', [...SINCE_10_13, 'message.message_summary_info', 'message.payload_data']],
])('the columns of %s', async (_system, name, dropped) => {
  const { events, odd } = await read([...dropped, ...RECOVERABLE.slice(2)], name)
  expect([events.map(({ sourceId }) => sourceId), odd]).toEqual([expected(dropped), []])
  const of = (guid: string) => events.find(({ sourceId }) => sourceId === guid)
  const lost = (column: string) => dropped.includes(`message.${column}`)
  expect(of('B')).toMatchObject({
    content: 'Fine',
    replyTo: lost('thread_originator_guid') ? null : 'imessage:A',
    metadata: { reactions: [{ who: '+14155552671', what: lost('associated_message_emoji') ? 'emoji' : '🦩' }] },
  })
  expect(of('C')?.content).toBe('See you at ten')
  if (!lost('message_summary_info')) expect(of('C')?.metadata?.edits).toMatchObject([{ text: 'See you at ten?' }])
  expect(of('D')).toMatchObject({ content: null })
  expect([of('E')?.content, of('F')?.content]).toEqual(['ben@example.com named the conversation “Boat”', '[image IMG_1.HEIC]'])
})

describe('tapbacks', () => {
  const SARAH = '+14155552671'

  /** Reactions left after one person sent these types in order. */
  async function left(types: readonly number[]): Promise<unknown> {
    const path = join(tempFolder(), 'chat.db')
    const messages = openMessages(path)
    const sarah = messages.handle(SARAH)
    const chat = messages.chat({ guid: `iMessage;-;${SARAH}`, style: 45, chat_identifier: SARAH, service_name: 'iMessage' }, [sarah])
    messages.message({ guid: 'A', text: 'See you', chat, at: NOON })
    for (const [n, type] of types.entries()) {
      const emoji = type % 1000 === 6 ? { associated_message_emoji: '🦩' } : {}
      const columns = { associated_message_guid: 'p:0/A', associated_message_type: type, ...emoji }
      messages.message({ guid: `T${n}`, text: 'x', chat, from: sarah, at: NOON + n, columns })
    }
    messages.close()
    const items = await collectItems(imessage({ platform: 'linux' }), path)
    const events = items.flatMap((item) => (item.type === 'event' && item.record.type === 'event' ? [item.record] : []))
    expect(events).toHaveLength(1)
    const reactions = (events[0]?.metadata?.reactions ?? []) as { what: string }[]
    return reactions.map(({ what }) => what)
  }

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('kind %i is there once added, and gone once removed', async (kind) => {
    const what = ['❤️', '👍', '👎', '😂', '‼️', '❓', '🦩', 'sticker'][kind]
    expect([await left([2000 + kind]), await left([2000 + kind, 3000 + kind])]).toEqual([[what], []])
  })

  it('stickers are put beside a tapback, and beside one another; votes too', async () => {
    expect(await left([2000, 1000, 1000, 4000])).toEqual(['❤️', 'sticker', 'sticker', 'vote'])
    expect(await left([1000, 2000, 3000])).toEqual(['sticker'])
  })
})
