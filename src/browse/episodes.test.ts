import { expect, it } from 'vitest'
import { putEvent, putThreads } from '../../test/helpers/episode-ledger.ts'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { updateEpisodes } from '../episodes/update.ts'
import { listEpisodes } from './list-episodes.ts'
import { showEpisode } from './show-episode.ts'

const HOUR = 3_600_000
const options = { agentId: 'main', timezone: 'UTC', clock: () => NOON + 24 * HOUR, own: new Set(['+14155550100']) }
const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'

async function filled() {
  const store = await tempStore()
  await seedSession(store, { id: 's', title: 'Fix the launch page', turns: [exchange('why is it red?', 'a typo', { status: 'final' })] })
  const say = (n: number, hours: number, text: string) =>
    store.write((tx) =>
      putEvent(tx, 'imessage', { id: `imessage:${n}`, thread: 'imessage:sarah', time: NOON + hours * HOUR, text, trust: 'contact' }),
    )
  await store.write((tx) => putThreads(tx, 'imessage', ['imessage:sarah']))
  await say(1, 0, `the key is ${SECRET}`)
  await say(2, 1, 'launch on Friday?')
  await say(3, 23.9, 'good morning')
  await updateEpisodes(store, { guard: async () => {}, clock: options.clock })
  return store
}

it('lists conversations and sessions, newest first, redacted; single turns only when their definition is named', async () => {
  const store = await filled()
  const { episodes, total } = await listEpisodes(store, {}, options)
  expect(total).toBe(3)
  expect(episodes.slice(0, 2)).toMatchObject([
    { channel: 'imessage', thread_name: 'About imessage:sarah', event_count: 1, first_words: 'good morning', closed: false },
    {
      channel: 'imessage',
      event_count: 2,
      trust: 'contact',
      closed: true,
      start: '2026-02-05T12:00:00.000Z',
      end: '2026-02-05T13:00:00.000Z',
    },
  ])
  expect(episodes[1]?.first_words).toMatch(/^the key is /)
  expect(JSON.stringify(episodes)).not.toContain(SECRET)
  expect(episodes[2]).toMatchObject({ definition: 'agent_session', thread_name: 'Fix the launch page' })
  expect((await listEpisodes(store, { definition: 'agent_turn' }, options)).episodes).toMatchObject([{ first_words: 'why is it red?' }])
})

it('filters by channel, thread and time; a name that exists nowhere is an error', async () => {
  const store = await filled()
  const count = async (request: object) => (await listEpisodes(store, request, options)).total
  expect(await count({ channel: 'imessage' })).toBe(2)
  expect(await count({ thread: 'SARAH' })).toBe(2)
  expect(await count({ thread: 'claude-code:s' })).toBe(1)
  expect(await count({ channel: 'imessage', after: '2026-02-06' })).toBe(1)
  expect(await count({ channel: 'imessage', before: '2026-02-06' })).toBe(1)
  expect(await count({ agent: 'nobody' })).toBe(0)
  for (const request of [{ channel: 'imesage' }, { thread: 'nobody' }, { definition: 'gap' }, { limit: 0 }])
    await expect(listEpisodes(store, request, options)).rejects.toMatchObject({ code: 'USAGE' })
})

it('a chat without a name is called by those who are in it, in the list and as a filter; the owner is left out', async () => {
  const store = await tempStore()
  await store.write(async (tx) => {
    await putThreads(tx, 'imessage', ['imessage:with-1', 'imessage:with-2'])
    await tx.db.updateTable('threads').set({ name: null }).execute()
    const said = { time: NOON, text: 'on Friday?', trust: 'contact' } as const
    await putEvent(tx, 'imessage', { id: 'imessage:1', thread: 'imessage:with-1', ...said })
    await putEvent(tx, 'imessage', { id: 'imessage:2', thread: 'imessage:with-2', ...said })
    const people = [
      { event_id: 'imessage:1', role: 'from' as const, handle: '+14155552671' },
      { event_id: 'imessage:1', role: 'to' as const, handle: '+14155550100' },
      { event_id: 'imessage:2', role: 'from' as const, handle: '+14155552672' },
    ]
    await tx.db.insertInto('event_people').values(people).execute()
    await tx.db.insertInto('contacts').values({ handle: '+14155552671', unit: 'people.vcf', name: 'Sarah Chen', card: '1' }).execute()
  })
  await updateEpisodes(store, { guard: async () => {}, clock: options.clock })
  const { episodes } = await listEpisodes(store, { thread: 'sarah' }, options)
  expect(episodes).toMatchObject([
    { thread_id: 'imessage:with-1', thread_name: null, people: [{ role: 'from' as const, handle: '+14155552671', name: 'Sarah Chen' }] },
  ])
})

it('shows what was said in one, by the beginning of its id', async () => {
  const store = await filled()
  const { episodes } = await listEpisodes(store, { channel: 'imessage' }, options)
  const id = episodes[1]?.episode_id ?? ''
  const shown = await showEpisode(store, id.slice(0, 8), { agentId: 'main', now: NOON, own: options.own })
  expect(shown.total).toBe(2)
  expect(shown.events.map(({ event_id }) => event_id)).toEqual(['imessage:1', 'imessage:2'])
  expect(JSON.stringify(shown)).not.toContain(SECRET)
  expect(await showEpisode(store, id, { agentId: 'main', now: NOON, own: options.own, limit: 1 })).toMatchObject({
    total: 2,
    events: [{ event_id: 'imessage:1' }],
  })
  for (const [name, agentId] of [
    ['abc', 'main'],
    ['ffffffffffffffffff', 'main'],
    [id, 'other'],
  ] as const)
    await expect(showEpisode(store, name, { agentId, now: NOON, own: options.own })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('of meetings it says the days of whole days, and what was called off', async () => {
  const store = await tempStore()
  await store.write(async (tx) => {
    await putThreads(tx, 'calendar', ['calendar:calendars'])
    const said = { thread: 'calendar:calendars', trust: 'owner' } as const
    await putEvent(tx, 'calendar', { ...said, id: 'calendar:a', time: NOON, text: 'Standup' })
    await putEvent(tx, 'calendar', { ...said, id: 'calendar:b', time: NOON - HOUR, text: 'Fair' })
    const describe = (id: string, metadata: object) =>
      tx.db
        .updateTable('events')
        .set({ metadata_json: JSON.stringify(metadata) })
        .where('id', '=', id)
        .execute()
    await describe('calendar:a', { all_day: false, status: 'cancelled' })
    await describe('calendar:b', { all_day: true, start_date: '2026-02-06', end_date: '2026-02-07', status: 'confirmed' })
  })
  await updateEpisodes(store, { guard: async () => {}, clock: options.clock })
  expect((await listEpisodes(store, {}, options)).episodes).toMatchObject([
    { first_words: 'Standup', status: 'cancelled', start_date: null, end_date: null },
    { first_words: 'Fair', status: 'confirmed', start_date: '2026-02-06', end_date: '2026-02-07' },
  ])
})
