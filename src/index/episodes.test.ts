import { expect, it } from 'vitest'
import { MINUTE, SARAH, seedThread, TOM, to } from '../../test/helpers/seed-events.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { indexer } from './indexer.ts'

const owner = { name: 'Jason Wu', timezone: 'UTC' }
const indexed = (store: Store) => indexer({ store, clock: () => NOON, owner })
const chunks = (store: Store) => store.read.selectFrom('chunks').selectAll().orderBy('timestamp').execute()

const chat = (texts: readonly string[] = ['Can we launch on Friday?', 'Friday works.']) => ({
  channel: 'imessage' as const,
  id: 'chat1',
  name: 'Launch crew',
  episodes: [
    [
      { content: texts[0] ?? '', people: [SARAH, { role: 'member', handle: TOM.handle } as const] },
      { content: texts[1] ?? '', direction: 'sent' as const, trust: 'owner' as const, people: [to(SARAH)] },
      {
        content: 'Me too',
        people: [TOM],
        metadata: {
          reactions: [
            { what: '👍', who: SARAH.handle },
            { what: '😂', who: 'me' },
          ],
        },
      },
    ],
  ],
})

it('gives a chat one document an episode: spoken lines with names, its people, the lowest trust', async () => {
  const store = await tempStore()
  const [id] = await seedThread(store, chat())
  const report = await indexed(store).tail()
  expect(report).toMatchObject({ documents: 1, chunks: 1, warnings: [] })
  const [chunk] = await chunks(store)
  expect(chunk).toMatchObject({
    ...{ path: `events/imessage/${id}.md`, source: 'events', ledger: 'events', trust: 'contact', session_id: null },
    ...{ said_user: 'Sarah Chen: Can we launch on Friday?\n\nJason Wu: Friday works.\n\n+14155552671: Me too', said_assistant: '' },
    ...{ message_ids: '["imessage:chat1-1","imessage:chat1-2","imessage:chat1-3"]', timestamp: NOON + MINUTE },
    speakers: '["Sarah Chen","user","Jason Wu","+14155552671"]',
  })
  expect(chunk?.context).toBe(
    '[Conversation of February 5, 2026 at 12:01 PM UTC]\n[Participants: Jason Wu, Sarah Chen and +14155552671]\n[Context: Launch crew]',
  )
})

it('follows what changed, and names that changed, and forgets what is gone', async () => {
  const store = await tempStore()
  await seedThread(store, chat())
  const index = indexed(store)
  await index.tail()
  expect(await index.tail()).toMatchObject({ documents: 0, removed: 0 })
  await store.write(({ db }) => db.insertInto('contacts').values({ handle: TOM.handle, unit: 'a.vcf', name: 'Tom Reyes' }).execute())
  expect(await index.tail()).toMatchObject({ documents: 1 })
  expect((await chunks(store))[0]?.said_user).toContain('Tom Reyes: Me too')
  await store.write(({ db }) => db.updateTable('threads').set({ name: 'The launch' }).execute())
  await index.tail()
  expect((await chunks(store))[0]?.context).toContain('[Context: The launch]')
  await seedThread(store, chat(['Can we launch on Monday?', 'Monday it is.']))
  expect(await index.tail()).toMatchObject({ documents: 1 })
  expect((await chunks(store)).map(({ said_user }) => said_user.includes('Monday it is'))).toEqual([true])
  await store.write(({ db }) => db.deleteFrom('events').where('id', '=', 'imessage:chat1-2').execute())
  expect(await chunks(store)).toEqual([])
  expect(await store.read.selectFrom('index_events').selectAll().execute()).toEqual([])
})

it('many conversations are indexed together: each is its own document, numbered from its beginning, however long one of them is', async () => {
  const store = await tempStore()
  const long = Array.from({ length: 40 }, (_, n) => ({ content: `${n} ${'many words of a long story '.repeat(300)}`, people: [SARAH] }))
  const short = (n: number) => [{ content: `Short talk number ${n}`, people: [SARAH] }]
  const ids = await seedThread(store, {
    ...{ channel: 'imessage', id: 'chat1', name: 'Launch crew' },
    episodes: [...Array.from({ length: 70 }, (_, n) => short(n)), long, ...Array.from({ length: 70 }, (_, n) => short(100 + n))],
  })
  const report = await indexed(store).tail()
  const rows = await chunks(store)
  expect(report).toMatchObject({ documents: 141, chunks: rows.length, unchanged: 0, warnings: [] })
  const of = new Map<string, typeof rows>()
  for (const row of rows) of.set(row.path, [...(of.get(row.path) ?? []), row])
  expect([...of.keys()].sort()).toEqual(ids.map((id) => `events/imessage/${id}.md`).sort())
  for (const [, own] of of) expect(own.map(({ chunk_index }) => chunk_index).sort((a, b) => a - b)).toEqual(own.map((_, n) => n))
  const members = await store.read.selectFrom('episode_members').selectAll().execute()
  const episodeOf = new Map(members.map(({ event_id, episode_id }) => [event_id, episode_id]))
  for (const { path, message_ids } of rows)
    for (const id of JSON.parse(message_ids) as string[]) expect(path).toBe(`events/imessage/${episodeOf.get(id)}.md`)
  expect(of.get(`events/imessage/${ids[70]}.md`)?.length).toBeGreaterThan(100)
  expect(await indexed(store).tail()).toMatchObject({ documents: 0 })
})

it('a mail is indexed without the history that it quotes, with its subject once, its attachments and no secret', async () => {
  const store = await tempStore()
  const own = 'The launch is on March 3. The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789.'
  await seedThread(store, {
    ...{ channel: 'gmail', id: 't1', name: 'Launch date' },
    episodes: [
      [
        { content: 'When do we launch?', people: [SARAH], metadata: { subject: 'Launch date', attachments: [{ name: 'plan.pdf' }] } },
        {
          content: `${own}\n\n> When do we launch?\n-- \nJason`,
          ...{
            direction: 'sent',
            trust: 'owner',
            people: [to(SARAH)],
            ownWords: [[0, own.length]],
            metadata: { subject: 'Re: Launch date' },
          },
        },
      ],
    ],
  })
  await indexed(store).tail()
  const [chunk] = await chunks(store)
  expect(chunk?.said_user).toBe(
    'Sarah Chen: Subject: Launch date\nWhen do we launch?\n[attached: plan.pdf]\n\nJason Wu: The launch is on March 3. The token is [REDACTED:github-token].',
  )
})

it('a meeting is a short text: what, when, where, who', async () => {
  const store = await tempStore()
  const end = NOON + 61 * MINUTE
  await seedThread(store, {
    ...{ channel: 'calendar', id: 'cal', name: 'Work' },
    episodes: [
      [
        {
          ...{ content: 'Decide the date.', direction: 'observed', metadata: { title: 'Launch sync', location: 'Room 4', end } },
          people: [
            { ...SARAH, role: 'organizer' },
            { role: 'attendee', handle: 'jason@example.com', name: 'Jason Wu' },
          ],
        },
      ],
    ],
  })
  await indexed(store).tail()
  const [chunk] = await chunks(store)
  expect(`${chunk?.user_label}${chunk?.said_user}`).toBe(
    'Meeting: Launch sync\nWhen: 2026-02-05 12:01 – 13:01 UTC\nWhere: Room 4\nWho: Jason Wu, Sarah Chen\nDecide the date.',
  )
  expect(chunk).toMatchObject({ speakers: '[]', message_ids: '["calendar:cal-1"]' })
  expect(chunk?.context).toContain('[Context: Launch sync]')
})

it('backfill and tail give the same rows, and backfill removes documents of episodes that are gone', async () => {
  const store = await tempStore()
  await seedThread(store, chat())
  const index = indexed(store)
  await index.tail()
  const before = await chunks(store)
  await index.backfill({ force: true })
  const plain = (rows: typeof before) => rows.map(({ id: _, created_at: __, ...row }) => row)
  expect(plain(await chunks(store))).toEqual(plain(before))
  await store.write(({ db }) => db.updateTable('index_files').set({ path: 'events/imessage/nothing.md' }).execute())
  expect(await index.backfill()).toMatchObject({ removed: 1, documents: 1 })
})

it('episodes of sessions and turns have no document of their own', async () => {
  const store = await tempStore()
  await seedThread(store, chat())
  await store.write(({ db }) => db.updateTable('episodes').set({ definition_id: 'aix_turn', channel: 'codex' }).execute())
  expect(await indexed(store).tail()).toMatchObject({ documents: 0 })
})
