import { expect, it } from 'vitest'
import { putEvent, putThreads } from '../../test/helpers/episode-ledger.ts'
import { runAdapter } from '../../test/helpers/run-adapters.ts'
import { exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { aixEvents } from '../ingest/events/aix-events.ts'
import type { Store } from '../store/store.ts'
import { rebuildEpisodes } from './rebuild.ts'
import { updateEpisodes } from './update.ts'

const run = { guard: async () => {}, clock: () => NOON }
const NOTHING = { added: 0, changed: 0, removed: 0 }

async function filled(): Promise<Store> {
  const store = await tempStore()
  const turns = [exchange('first?', 'one', { status: 'final' }), exchange('second?', 'two', { status: 'final' })]
  for (const id of ['s', 't']) await seedSession(store, { id, turns })
  await runAdapter(store, aixEvents(store))
  for (const channel of ['imessage', 'gmail', 'calendar'])
    await store.write(async (tx) => {
      await putThreads(tx, channel, [`${channel}:a`, `${channel}:b`])
      for (let n = 0; n < 40; n++)
        await putEvent(tx, channel, {
          ...{
            id: `${channel}:${n}`,
            thread: `${channel}:${n % 2 ? 'a' : 'b'}`,
            time: NOON + ((n * 37) % 40) * 50 * 60_000,
            text: 'x',
            trust: 'contact',
          },
        })
    })
  await updateEpisodes(store, run)
  return store
}

const all = async (store: Store) => ({
  episodes: await store.read.selectFrom('episodes').selectAll().orderBy('id').execute(),
  events: await store.read.selectFrom('episode_events').selectAll().orderBy('episode_id').orderBy('position').execute(),
})

it('on an unchanged ledger changes no row, neither revision nor time, in whatever parts', async () => {
  const store = await filled()
  const before = await all(store)
  expect(new Set(before.episodes.map((row) => row.definition_id)).size).toBe(6)
  for (const eventsAtOnce of [undefined, 1, 3, 1000]) {
    expect(await rebuildEpisodes(store, { ...run, clock: () => NOON + 1, ...(eventsAtOnce ? { eventsAtOnce } : {}) })).toEqual(NOTHING)
    expect(await all(store)).toEqual(before)
  }
  expect(await updateEpisodes(store, run)).toEqual(NOTHING)
})

it('mends what is missing, wrong or left over, to the same ids', async () => {
  const store = await filled()
  const before = await all(store)
  const without = (rows: Awaited<ReturnType<typeof all>>) => ({
    ...rows,
    episodes: rows.episodes.map(({ revision: _, created_at: __, ...row }) => row),
  })
  const [one, two] = before.episodes.filter((row) => row.definition_id === 'time_gap_90min')
  await store.write(async (tx) => {
    await tx.db
      .deleteFrom('episodes')
      .where('id', '=', one?.id ?? '')
      .execute()
    await tx.db.deleteFrom('episode_waiting').execute()
    await tx.db
      .updateTable('episodes')
      .set({ event_count: 99, trust: 'owner' })
      .where('id', '=', two?.id ?? '')
      .execute()
    await tx.db
      .deleteFrom('episode_members')
      .where('episode_id', '=', two?.id ?? '')
      .where('position', '=', 0)
      .execute()
    const { summary: _, ...row } = one as NonNullable<typeof one>
    await tx.db
      .insertInto('episodes')
      .values({ ...row, id: 'of nothing', thread_id: 'imessage:gone' })
      .execute()
    await tx.db
      .insertInto('episodes')
      .values({ ...row, id: 'of no turn', definition_id: 'agent_turn', first_event_id: 'nobody' })
      .execute()
    await tx.db
      .insertInto('episodes')
      .values({ ...row, id: 'of no session', definition_id: 'agent_session', thread_id: 'nobody' })
      .execute()
    await tx.db
      .insertInto('episodes')
      .values({ ...row, id: 'of another grouping', first_event_id: 'imessage:none' })
      .execute()
  })
  expect(await rebuildEpisodes(store, run)).toEqual({ added: 1, changed: 1, removed: 4 })
  expect(without(await all(store))).toEqual(without(before))
  expect(await rebuildEpisodes(store, run)).toEqual(NOTHING)
  expect(await updateEpisodes(store, run)).toEqual(NOTHING)
})

it('of one definition leaves the others alone', async () => {
  const store = await filled()
  await store.write((tx) => tx.db.updateTable('episodes').set({ event_count: 99 }).execute())
  const { changed } = await rebuildEpisodes(store, { ...run, definition: 'calendar_event' })
  expect(changed).toBe(40)
  const wrong = await store.read.selectFrom('episodes').select('definition_id').distinct().where('event_count', '=', 99).execute()
  expect(wrong.map((row) => row.definition_id).sort()).toEqual([
    'agent_session',
    'agent_turn',
    'aix_turn',
    'gmail_thread',
    'time_gap_90min',
  ])
})
