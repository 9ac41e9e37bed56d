import { mkdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { archivedDictionary, archivedUrl, binaryPlist, keyedArchive } from '../../../test/helpers/binary-plist.ts'
import { fileReader } from '../../../test/helpers/collect-items.ts'
import { generateMessages } from '../../../test/helpers/generate-messages.ts'
import { appleTime, type MessagesDatabase, openMessages } from '../../../test/helpers/messages-database.ts'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { attributedBody } from '../../../test/helpers/typed-stream.ts'
import { MnemonicError } from '../../core/error.ts'
import type { Store } from '../../store/store.ts'
import type { Adapter } from '../adapter.ts'
import { imessage } from './imessage.ts'

const SARAH = '+14155552671'
const MINUTE = 60_000

interface Bench {
  readonly store: Store
  readonly path: string
  readonly messages: MessagesDatabase
  readonly sarah: number
  readonly chat: number
  /** Syncs the file as changed. */
  sync(): ReturnType<typeof runAdapter>
  events(): Promise<{ id: string; content: string | null; metadata: Record<string, unknown>; [column: string]: unknown }[]>
}

let changes = 0

async function bench(): Promise<Bench> {
  const store = await tempStore()
  const path = join(tempFolder(), 'chat.db')
  const messages = openMessages(path)
  const sarah = messages.handle(SARAH)
  const chat = messages.chat({ guid: `iMessage;-;${SARAH}`, style: 45, chat_identifier: SARAH, service_name: 'iMessage' }, [sarah])
  const adapter = imessage({ paths: [path], platform: 'linux', phones: ['+49 30 901820'] })
  return {
    ...{ store, path, messages, sarah, chat },
    sync() {
      changes += 1
      utimesSync(path, new Date(NOON), new Date(NOON + changes * 1000))
      return runAdapter(store, adapter)
    },
    async events() {
      const rows = await store.read.selectFrom('events').selectAll().orderBy('timestamp').orderBy('id').execute()
      return rows.map((row) => ({ ...row, metadata: JSON.parse(row.metadata_json ?? '{}') as Record<string, unknown> }))
    },
  }
}

const one = async (b: Bench) => (await b.events())[0] as Awaited<ReturnType<Bench['events']>>[number]

it('a message: who, to whom, when to the millisecond, in which thread', async () => {
  const b = await bench()
  b.messages.message({ guid: 'A', text: 'See you at nine', chat: b.chat, from: b.sarah, at: NOON + 123 })
  b.messages.message({ guid: 'B', text: 'Fine', chat: b.chat, at: NOON + MINUTE, columns: { thread_originator_guid: 'A' } })
  expect(await b.sync()).toMatchObject({ records: 2, warnings: [] })
  const [received, sent] = await b.events()
  expect(received).toMatchObject({
    ...{ id: 'imessage:A', source_id: 'A', timestamp: NOON + 123, channel: 'imessage', content: 'See you at nine', direction: 'received' },
    ...{ speaker: SARAH, trust: 'contact', agent_id: 'main', content_types: '["text"]', reply_to: null, metadata: { service: 'iMessage' } },
  })
  expect(sent).toMatchObject({
    direction: 'sent',
    speaker: '+49 30 901820',
    trust: 'owner',
    reply_to: 'imessage:A',
    thread_id: received?.thread_id,
  })
  const people = await b.store.read
    .selectFrom('event_people')
    .select(['event_id', 'role', 'handle'])
    .orderBy('event_id')
    .orderBy('role')
    .execute()
  expect(people).toEqual([
    { event_id: 'imessage:A', role: 'from', handle: SARAH },
    { event_id: 'imessage:A', role: 'to', handle: '+4930901820' },
    { event_id: 'imessage:B', role: 'from', handle: '+4930901820' },
    { event_id: 'imessage:B', role: 'to', handle: SARAH },
  ])
  const [thread] = await b.store.read.selectFrom('threads').selectAll().execute()
  expect(thread).toMatchObject({ id: received?.thread_id, source_adapter: 'imessage', created_at: NOON + 123, updated_at: NOON + MINUTE })
  expect(JSON.parse(thread?.metadata_json ?? '')).toEqual({ style: 'direct', participants: [SARAH], services: ['iMessage'] })
})

describe('threads', () => {
  it('one person over iMessage, SMS and RCS is one conversation, also on another machine', async () => {
    const [b, other] = [await bench(), await bench()]
    const sms = b.messages.handle(SARAH, 'SMS')
    const text = b.messages.chat({ guid: `SMS;-;${SARAH}`, style: 45, chat_identifier: SARAH, service_name: 'SMS' }, [sms])
    b.messages.message({ guid: 'A', text: 'one', chat: b.chat, from: b.sarah, at: NOON })
    b.messages.message({ guid: 'B', text: 'two', chat: text, from: sms, at: NOON + 1, columns: { service: 'SMS' } })
    other.messages.handle('+4930123456')
    other.messages.message({ guid: 'C', text: 'three', chat: other.chat, from: other.sarah, at: NOON + 2 })
    await b.sync()
    await other.sync()
    const threads = [...(await b.events()), ...(await other.events())].map(({ thread_id }) => thread_id)
    expect(new Set(threads).size).toBe(1)
    expect((await b.events()).map(({ metadata }) => metadata.service)).toEqual(['iMessage', 'SMS'])
  })

  it('a group keeps its thread when it is renamed and its members change; the same people over SMS belong to it', async () => {
    const b = await bench()
    const [tom, ann] = [b.messages.handle('tom@example.org'), b.messages.handle('ann@example.org')]
    const columns = { guid: 'iMessage;+;chat1', style: 43, chat_identifier: 'chat1', service_name: 'iMessage', group_id: 'ABC-1' }
    const group = b.messages.chat(columns, [b.sarah, tom])
    const texts = b.messages.chat({ guid: 'SMS;+;chat2', style: 43, chat_identifier: 'chat2', service_name: 'SMS', group_id: 'Z' }, [
      tom,
      b.sarah,
    ])
    b.messages.message({ guid: 'A', text: 'one', chat: group, from: b.sarah, at: NOON })
    b.messages.message({ guid: 'B', text: 'two', chat: texts, from: tom, at: NOON + 1 })
    await b.sync()
    b.messages.db.prepare('insert into chat_handle_join values (?, ?)').run(group, ann)
    b.messages.db.prepare("update chat set display_name = 'Launch crew' where ROWID = ?").run(group)
    b.messages.message({ guid: 'C', text: 'three', chat: group, from: ann, at: NOON + 2 })
    await b.sync()
    expect((await b.events()).map(({ thread_id }) => thread_id)).toEqual(Array(3).fill('imessage:group-abc-1'))
    const thread = await b.store.read.selectFrom('threads').selectAll().executeTakeFirstOrThrow()
    expect(thread).toMatchObject({ name: 'Launch crew' })
    expect(JSON.parse(thread.metadata_json ?? '')).toMatchObject({
      style: 'group',
      participants: [SARAH, 'ann@example.org', 'tom@example.org'],
    })
    const people = await b.store.read
      .selectFrom('event_people')
      .select(['role', 'handle'])
      .where('event_id', '=', 'imessage:C')
      .orderBy('handle')
      .execute()
    expect(people).toEqual([
      { role: 'member', handle: SARAH },
      { role: 'member', handle: '+4930901820' },
      { role: 'from', handle: 'ann@example.org' },
      { role: 'member', handle: 'tom@example.org' },
    ])
  })

  it('two groups of the same people stay two', async () => {
    const b = await bench()
    const tom = b.messages.handle('tom@example.org')
    for (const [n, id] of ['X', 'Y'].entries()) {
      const group = { guid: `iMessage;+;chat${n}`, style: 43, chat_identifier: `chat${n}`, service_name: 'iMessage', group_id: id }
      b.messages.message({ guid: `M${n}`, text: id, chat: b.messages.chat(group, [b.sarah, tom]), from: tom, at: NOON + n })
    }
    await b.sync()
    expect((await b.events()).map(({ thread_id }) => thread_id)).toEqual(['imessage:group-x', 'imessage:group-y'])
  })

  it('a message in two chats is stored once, and one in no chat has a thread with its sender', async () => {
    const b = await bench()
    const again = b.messages.chat({ guid: 'any;-;copy', style: 45, chat_identifier: SARAH, service_name: 'iMessage' }, [b.sarah])
    b.messages.message({ guid: 'A', text: 'twice', chat: [b.chat, again], from: b.sarah, at: NOON })
    b.messages.message({ guid: 'B', text: 'lost', chat: [], from: b.sarah, at: NOON + 1 })
    b.messages.message({ guid: 'C', text: 'mine, to nobody', chat: [], at: NOON + 2 })
    expect(await b.sync()).toMatchObject({ records: 3 })
    const threads = (await b.events()).map(({ thread_id }) => thread_id)
    expect([threads[0] === threads[1], threads[2] === threads[0], threads.includes(null)]).toEqual([true, false, false])
  })
})

describe('tapbacks', () => {
  const tapback = (b: Bench, n: number, type: number, columns: Record<string, string | number> = {}, from: number | undefined = b.sarah) =>
    b.messages.message({
      ...{ guid: `T${n}`, text: 'Loved “See you”', chat: b.chat, at: NOON + n * MINUTE },
      ...(from === -1 ? {} : { from }),
      columns: { associated_message_guid: 'p:0/A', associated_message_type: type, ...columns },
    })

  it('belong to their message, the last state of each person; they are no events', async () => {
    const b = await bench()
    b.messages.message({ guid: 'A', text: 'See you', chat: b.chat, at: NOON })
    b.messages.message({ guid: 'B', text: 'Other', chat: b.chat, at: NOON + 1 })
    tapback(b, 1, 2000)
    tapback(b, 2, 3000)
    tapback(b, 3, 2001)
    tapback(b, 4, 2006, { associated_message_emoji: '🦩', associated_message_guid: 'p:1/A' }, -1)
    tapback(b, 5, 2003, { associated_message_guid: 'bp:B' })
    tapback(b, 6, 3003, { associated_message_guid: 'bp:B' })
    tapback(b, 7, 2000, { associated_message_guid: 'p:0/nobody' })
    b.messages.db.prepare('update message set part_count = 2 where guid = ?').run('A')
    expect(await b.sync()).toMatchObject({ records: 2, warnings: [] })
    expect((await b.events()).map(({ id, metadata }) => [id, metadata.reactions])).toEqual([
      [
        'imessage:A',
        [
          { who: SARAH, what: '👍', at: NOON + 3 * MINUTE },
          { who: 'me', what: '🦩', at: NOON + 4 * MINUTE, part: 1 },
        ],
      ],
      ['imessage:B', undefined],
    ])
  })

  it.each([true, false])('that come later change the message that is stored; with an index: %s', async (indexed) => {
    const b = await bench()
    if (!indexed) b.messages.db.exec('drop index message_idx_associated_message2')
    b.messages.message({ guid: 'A', text: 'See you', chat: b.chat, at: NOON })
    await b.sync()
    expect((await one(b)).metadata.reactions).toBeUndefined()
    tapback(b, 1, 2004)
    expect(await b.sync()).toMatchObject({ records: 0 })
    expect(await one(b)).toMatchObject({ content: 'See you', metadata: { reactions: [{ who: SARAH, what: '‼️' }] } })
    tapback(b, 2, 3004)
    await b.sync()
    expect((await one(b)).metadata.reactions).toBeUndefined()
  })
})

describe('edits', () => {
  const version = (text: string, at: number) => ({ t: attributedBody(text), d: (at - 978_307_200_000) / 1000 })

  it('the text is the last one; earlier ones are kept beside it, also when the edit comes after the reading', async () => {
    const b = await bench()
    const row = b.messages.message({ guid: 'A', text: 'See you at nein', chat: b.chat, from: b.sarah, at: NOON })
    await b.sync()
    const summary = binaryPlist({
      ec: { 0: [version('See you at nein', NOON), version('See you at nine', NOON + MINUTE)] },
      otr: { 0: { lo: 0, le: 15 } },
    })
    b.messages.db
      .prepare('update message set attributedBody = ?, message_summary_info = ?, date_edited = ? where ROWID = ?')
      .run(attributedBody('See you at nine'), summary, appleTime(NOON + MINUTE), row)
    b.messages.message({ guid: 'B', text: 'next', chat: b.chat, from: b.sarah, at: NOON + 2 * MINUTE })
    expect(await b.sync()).toMatchObject({ records: 1 })
    expect(await one(b)).toMatchObject({
      content: 'See you at nine',
      metadata: { edited_at: NOON + MINUTE, edits: [{ text: 'See you at nein', at: NOON }] },
    })
    // If only the edit history is left, its last version is the text.
    b.messages.db
      .prepare('update message set attributedBody = null, date_edited = ? where ROWID = ?')
      .run(appleTime(NOON + 2 * MINUTE), row)
    await b.sync()
    expect((await one(b)).content).toBe('See you at nine')
  })

  it('what was unsent says nothing any more, also where it was read before', async () => {
    const b = await bench()
    const row = b.messages.message({ guid: 'A', text: 'a slip', chat: b.chat, from: b.sarah, at: NOON })
    await b.sync()
    const summary = binaryPlist({ rp: [0], ust: true, otr: { 0: { lo: 0, le: 6 } } })
    b.messages.db
      .prepare('update message set text = null, attributedBody = null, message_summary_info = ?, date_edited = ? where ROWID = ?')
      .run(summary, appleTime(NOON + MINUTE), row)
    await b.sync()
    expect(await one(b)).toMatchObject({ content: null, metadata: { unsent: true, unsent_at: NOON + MINUTE } })
    expect(JSON.stringify(await b.events())).not.toContain('a slip')
  })

  it('a part that was unsent is said so, the rest stays', async () => {
    const b = await bench()
    const columns = { message_summary_info: binaryPlist({ rp: [1], otr: { 0: {}, 1: {} } }), date_edited: appleTime(NOON + 5) }
    b.messages.message({ guid: 'A', text: 'the rest', chat: b.chat, from: b.sarah, at: NOON, columns })
    await b.sync()
    expect(await one(b)).toMatchObject({ content: 'the rest', metadata: { unsent_parts: [1] } })
  })
})

it('an older copy takes nothing back: what was unsent stays unsent, a tapback that was taken away stays away', async () => {
  const b = await bench()
  const row = b.messages.message({ guid: 'A', text: 'a slip', chat: b.chat, from: b.sarah, at: NOON })
  b.messages.message({ guid: 'B', text: 'kept', chat: b.chat, from: b.sarah, at: NOON + 1 })
  const react = (guid: string, type: number, at: number) =>
    b.messages.message({ guid, text: 'x', chat: b.chat, at, columns: { associated_message_guid: 'p:0/B', associated_message_type: type } })
  react('T1', 2000, NOON + 2)
  const copy = join(tempFolder(), 'sms.db')
  b.messages.db.prepare('vacuum into ?').run(copy)
  react('T2', 3000, NOON + 3)
  b.messages.db
    .prepare('update message set attributedBody = null, message_summary_info = ?, date_edited = ? where ROWID = ?')
    .run(binaryPlist({ rp: [0], otr: { 0: {} } }), appleTime(NOON + MINUTE), row)
  await b.sync()
  const before = await b.events()
  expect(before.map(({ content, metadata }) => [content, metadata.unsent, metadata.reactions])).toEqual([
    [null, true, undefined],
    ['kept', undefined, undefined],
  ])
  expect(await runAdapter(b.store, imessage({ paths: [copy] }))).toMatchObject({ imported: 1, records: 0 })
  expect(await b.events()).toEqual(before)
})

it('a row whose values are of other types than its columns costs nothing but itself', async () => {
  const { messages, chat, sarah, sync, events } = await bench()
  const odd: Record<string, Buffer | number | string>[] = [
    { text: Buffer.from([0xff, 0xfe]), subject: 7, service: Buffer.from('x') },
    { attributedBody: 'no archive', cache_roomnames: Buffer.from('q'), destination_caller_id: Buffer.from([0]) },
    { date: 'soon', is_from_me: 'yes', item_type: 'x', handle_id: 'abc' },
    { associated_message_guid: Buffer.from('zz'), associated_message_type: '2000', thread_originator_guid: Buffer.from('q') },
    { message_summary_info: 'text', payload_data: 'text', balloon_bundle_id: Buffer.from('b'), part_count: 'many' },
  ]
  for (const [n, columns] of odd.entries()) messages.message({ guid: `odd${n}`, chat, from: sarah, at: NOON + n, columns })
  messages.message({ guid: 'good', text: 'Words.', chat, from: sarah, at: NOON + MINUTE })
  messages.db.exec("update chat set display_name = x'ff', group_id = x'00'; update handle set country = x'01'")
  await sync()
  const found = await events()
  expect(found.find(({ id }) => id === 'imessage:good')?.content).toBe('Words.')
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(['imessage:odd0', 'imessage:odd1', 'imessage:odd2', 'imessage:odd4']))
})

it('attachments stand in their places by name and kind; hidden ones do not', async () => {
  const b = await bench()
  const runs = [
    { length: 1, attributes: { __kIMFileTransferGUIDAttributeName: 'two' } },
    { length: 5, attributes: {} },
    { length: 1, attributes: { __kIMFileTransferGUIDAttributeName: 'one' } },
  ]
  const body = { attributedBody: attributedBody('\ufffc and \ufffc', runs) }
  const row = b.messages.message({ guid: 'A', chat: b.chat, from: b.sarah, at: NOON, columns: body })
  b.messages.attach(row, { guid: 'one', mime_type: 'image/heic', transfer_name: 'IMG_1.HEIC', total_bytes: 42 })
  b.messages.attach(row, { guid: 'two', uti: 'com.apple.quicktime-movie', filename: '~/Library/Messages/Attachments/x/clip.mov' })
  b.messages.attach(row, { guid: 'three', filename: '/tmp/x.pluginPayloadAttachment', hide_attachment: 1 })
  const voice = b.messages.message({ guid: 'B', chat: b.chat, from: b.sarah, at: NOON + 1, columns: { is_audio_message: 1 } })
  b.messages.attach(voice, { guid: 'v', uti: 'com.apple.coreaudio-format', transfer_name: 'Audio Message.caf' })
  await b.sync()
  const [first, second] = await b.events()
  expect(first).toMatchObject({ content: '[video clip.mov]\n and \n[image IMG_1.HEIC]', content_types: '["text","image","video"]' })
  expect(first?.metadata.attachments).toEqual([
    { name: 'IMG_1.HEIC', type: 'image/heic', kind: 'image', bytes: 42 },
    { name: 'clip.mov', type: 'com.apple.quicktime-movie', kind: 'video' },
  ])
  expect(second).toMatchObject({ content: '[audio Audio Message.caf]', content_types: '["audio"]' })
})

it('link previews and apps can be read; mentions are handles', async () => {
  const b = await bench()
  const preview = { title: 'Harbour news', summary: 'Ships arrive', URL: archivedUrl('https://a.example/x') }
  const link = { balloon_bundle_id: 'com.apple.messages.URLBalloonProvider' }
  const payload = keyedArchive({ class: 'RichLink', fields: { richLinkMetadata: { class: 'LPLinkMetadata', fields: preview } } })
  b.messages.message({ guid: 'A', text: 'https://a.example/x', chat: b.chat, at: NOON, columns: { ...link, payload_data: payload } })
  const game = keyedArchive(
    archivedDictionary({
      an: 'Chess',
      ldtext: 'Chess',
      URL: archivedUrl('data:?x'),
      userInfo: archivedDictionary({ caption: 'Your move.', subcaption: '' }),
    }),
  )
  const bundle = 'com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:org.example.chess'
  b.messages.message({ guid: 'B', text: '\ufffd', chat: b.chat, at: NOON + 1, columns: { balloon_bundle_id: bundle, payload_data: game } })
  const runs = [{ length: 4, attributes: { __kIMMentionConfirmedMention: '+1 415 555 2671' } }]
  b.messages.message({ guid: 'C', chat: b.chat, at: NOON + 2, columns: { attributedBody: attributedBody('Mum?', runs) } })
  await b.sync()
  const [a, app, mention] = await b.events()
  expect(a).toMatchObject({
    content: 'https://a.example/x\nHarbour news\nShips arrive',
    metadata: { link: { url: 'https://a.example/x', title: 'Harbour news', summary: 'Ships arrive' } },
  })
  expect(app).toMatchObject({ content: '[Chess: Your move.]', metadata: { app: { name: 'Chess', text: 'Your move.' } } })
  expect(mention).toMatchObject({ content: 'Mum?', metadata: { mentions: [SARAH] } })
})

it('what happened to a group is observed, and a kind that is not known is counted by name', async () => {
  const b = await bench()
  const tom = b.messages.handle('tom@example.org')
  const group = b.messages.chat({ guid: 'iMessage;+;chat1', style: 43, chat_identifier: 'chat1', service_name: 'iMessage' }, [b.sarah, tom])
  const rows = [
    { item_type: 1, group_action_type: 0, other_handle: tom },
    { item_type: 1, group_action_type: 1, other_handle: tom },
    { item_type: 2, group_title: 'Launch' },
    { item_type: 3, group_action_type: 0 },
    { item_type: 99 },
  ]
  for (const [n, columns] of rows.entries()) b.messages.message({ guid: `G${n}`, chat: group, from: b.sarah, at: NOON + n, columns })
  const { warnings } = await b.sync()
  expect(warnings.join()).toContain('item_type 99')
  expect(
    (await b.events()).map(({ direction, content, metadata }) => [direction, content, (metadata.action as { type: string }).type]),
  ).toEqual([
    ['observed', `${SARAH} added tom@example.org to the conversation`, 'member_added'],
    ['observed', `${SARAH} removed tom@example.org from the conversation`, 'member_removed'],
    ['observed', `${SARAH} named the conversation “Launch”`, 'renamed'],
    ['observed', `${SARAH} left the conversation`, 'left'],
  ])
})

it('spam and what was deleted recently are left out and counted; what is recovered comes in', async () => {
  const b = await bench()
  b.messages.message({ guid: 'S', text: 'You won', chat: b.chat, from: b.sarah, at: NOON, columns: { is_spam: 1 } })
  const row = b.messages.message({ guid: 'D', text: 'Deleted', chat: [], from: b.sarah, at: NOON + 1 })
  b.messages.db.prepare('insert into chat_recoverable_message_join values (?, ?, 0)').run(b.chat, row)
  b.messages.message({ guid: 'A', text: 'Kept', chat: b.chat, from: b.sarah, at: NOON + 2 })
  const { warnings } = await b.sync()
  expect(warnings).toEqual(['imessage left out 1 recently deleted message', 'imessage left out 1 message that Messages took for spam'])
  expect((await b.events()).map(({ content }) => content)).toEqual(['Kept'])
  b.messages.db.exec('delete from chat_recoverable_message_join')
  await b.sync()
  expect((await b.events()).map(({ content }) => content)).toEqual(['Deleted', 'Kept'])
})

it('times of old systems are seconds, of none and of absurd ones the message before says when', async () => {
  const b = await bench()
  const seconds = (NOON - 978_307_200_000) / 1000
  b.messages.message({ guid: 'A', text: 'old', chat: b.chat, from: b.sarah, at: NOON, columns: { date: seconds } })
  b.messages.message({ guid: 'B', text: 'none', chat: b.chat, from: b.sarah, at: NOON, columns: { date: 0 } })
  b.messages.message({ guid: 'C', text: 'absurd', chat: b.chat, from: b.sarah, at: NOON, columns: { date: -(2n ** 63n) } })
  b.messages.message({ guid: 'D', text: 'exact', chat: b.chat, from: b.sarah, at: NOON, columns: { date: appleTime(NOON + 7) + 999_999n } })
  await b.sync()
  expect((await b.events()).map(({ timestamp, metadata }) => [timestamp, metadata.undated ?? false])).toEqual([
    [NOON, false],
    [NOON, true],
    [NOON, true],
    [NOON + 7, false],
  ])
})

it('reads what an early iOS writes: no guid of a group, no tapbacks, no typed stream, no edits', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'sms.db')
  const db = new Database(path)
  db.exec(`create table handle (ROWID integer primary key autoincrement, id text, service text);
    create table chat (ROWID integer primary key autoincrement, guid text, style integer, chat_identifier text, service_name text);
    create table message (ROWID integer primary key autoincrement, guid text, text text, handle_id integer, is_from_me integer, date integer);
    create table chat_message_join (chat_id integer, message_id integer);
    insert into handle values (1, '+14155552671', 'SMS');
    insert into chat values (1, 'SMS;-;+14155552671', 45, '+14155552671', 'SMS');
    insert into message values (1, 'A', 'hello', 1, 0, 400000000), (2, 'B', 'you', 0, 1, 400000060);
    insert into chat_message_join values (1, 1), (1, 2);`)
  db.close()
  expect(await runAdapter(store, imessage({ paths: [path] }))).toMatchObject({ records: 2, warnings: [] })
  const [thread] = await store.read.selectFrom('threads').selectAll().execute()
  expect(thread).toMatchObject({ created_at: 1_378_307_200_000, updated_at: 1_378_307_260_000 })
})

it('the tables of iOS 5 are refused with their name, once', async () => {
  const store = await tempStore()
  const path = join(tempFolder(), 'sms.db')
  const db = new Database(path)
  db.exec('create table message (ROWID integer primary key, address text, date integer, text text, madrid_guid text, madrid_handle text)')
  db.close()
  const { warnings, quarantined } = await runAdapter(store, imessage({ paths: [path] }))
  expect([quarantined, warnings.join()]).toEqual([1, expect.stringContaining('iOS 5 or older')])
})

it('goes on after what was read; a database that was built anew is read from its beginning, and nothing comes twice', async () => {
  const b = await bench()
  for (let n = 0; n < 1200; n++) b.messages.message({ guid: `M${n}`, text: `message ${n}`, chat: b.chat, from: b.sarah, at: NOON + n })
  expect(await b.sync()).toMatchObject({ records: 1200 })
  b.messages.db.exec("delete from message where guid = 'M1199'")
  b.messages.message({ guid: 'N', text: 'new', chat: b.chat, from: b.sarah, at: NOON + 2000 })
  expect(await b.sync()).toMatchObject({ records: 1 })
  b.messages.db.exec("delete from message; delete from chat_message_join; delete from sqlite_sequence where name = 'message'")
  b.messages.message({ guid: 'M0', text: 'message 0', chat: b.chat, from: b.sarah, at: NOON })
  b.messages.message({ guid: 'O', text: 'restored', chat: b.chat, from: b.sarah, at: NOON + 3000 })
  expect(await b.sync()).toMatchObject({ records: 1 })
  expect(await b.events()).toHaveLength(1202)
})

it('an interrupted read that goes on leaves the same state as one that was not interrupted', async () => {
  const path = join(tempFolder(), 'chat.db')
  generateMessages(path, 5000)
  const adapter = imessage({ paths: [path], platform: 'linux' })
  const [whole, interrupted] = [await tempStore(), await tempStore()]
  const stateOf = ({ read }: Store) => read.selectFrom('sync_state').selectAll().execute()
  await runAdapter(whole, adapter)

  const stop = new AbortController()
  async function* readPart(...asked: Parameters<Adapter['read']>): ReturnType<Adapter['read']> {
    let items = 0
    for await (const item of adapter.read(...asked)) {
      if (++items === 4500) stop.abort()
      yield item
    }
  }
  await expect(runAdapter(interrupted, { ...adapter, read: readPart }, { signal: stop.signal })).rejects.toThrow()
  expect(await stateOf(interrupted)).toMatchObject([{ status: 'reading' }])
  await runAdapter(interrupted, adapter)
  expect(await stateOf(interrupted)).toEqual(await stateOf(whole))
})

it('a text that cannot be decoded costs the text, not the message', async () => {
  const b = await bench()
  b.messages.message({ guid: 'A', chat: b.chat, from: b.sarah, at: NOON, columns: { attributedBody: Buffer.from('no typed stream') } })
  const { warnings } = await b.sync()
  expect(warnings).toEqual(['the text of 1 message cannot be decoded (the first: A)'])
  expect(await one(b)).toMatchObject({ content: null, metadata: { undecoded: true } })
})

describe('without Full Disk Access', () => {
  const path = '/Users/ada/Library/Messages/chat.db'
  const refusing = (code: string, message = code) => ({
    ...fileReader(),
    database: async () => {
      throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: ${code}`, { details: { path, code }, cause: new Error(message) })
    },
  })

  it.each(['EPERM', 'EACCES', 'SQLITE_CANTOPEN', 'SQLITE_AUTH'])('%s says how to grant it', async (code) => {
    const items = imessage({ platform: 'darwin' }).read({ path, size: 0, mtimeMs: 0 }, undefined, refusing(code))
    await expect(items[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
      message: expect.stringContaining('System Settings → Privacy & Security → Full Disk Access'),
      hint: expect.stringContaining('Full Disk Access'),
    })
  })

  it('a busy file, and a file that is not protected, are another matter', async () => {
    for (const [file, code] of [
      [path, 'SQLITE_BUSY'],
      ['/tmp/chat.db', 'EACCES'],
    ] as const) {
      const items = imessage({ platform: 'linux' }).read({ path: file, size: 0, mtimeMs: 0 }, undefined, refusing(code))
      await expect(items[Symbol.asyncIterator]().next()).rejects.toThrow(expect.not.stringContaining('Full Disk Access'))
    }
  })
})

it('finds chat.db at its place on a Mac, and sms.db under the name that a backup gives it', async () => {
  expect(imessage({ platform: 'darwin', homedir: '/Users/ada' }).defaultPaths()).toEqual(['/Users/ada/Library/Messages/chat.db'])
  expect(imessage({ platform: 'linux', homedir: '/home/ada' }).defaultPaths()).toEqual([])
  const folder = tempFolder()
  const backup = join(folder, 'Backup', '0000', '3d')
  mkdirSync(backup, { recursive: true })
  for (const name of ['Backup/0000/3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28', 'copy of messages.db', 'notes/sms.db'])
    openMessages(join(folder, name)).close()
  new Database(join(folder, 'other.db')).exec('create table t (a)').close()
  const found: string[] = []
  for await (const unit of imessage().discover({ path: folder, warn: () => {}, reader: fileReader() }))
    found.push(unit.path.slice(folder.length + 1))
  expect(found).toEqual(['Backup/0000/3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28', 'copy of messages.db', 'notes/sms.db'])
  expect(statSync(backup).isDirectory()).toBe(true)
})
