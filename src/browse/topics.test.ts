import { expect, it } from 'vitest'
import { SEED_TIME, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { tempStore } from '../../test/helpers/store.ts'
import { toIso } from '../core/time.ts'
import { listTopics } from './topics.ts'

const DAY = 86_400_000
const OPTIONS = { agentId: 'main', timezone: 'UTC', clock: () => SEED_TIME + 10 * DAY }

async function seeded() {
  const store = await tempStore()
  await seedChunks(store, [
    { session: 'a', user: 'one', topics: ['webhook-retry', 'lease'], at: SEED_TIME, project: '/code/lantern' },
    { session: 'a', user: 'two', topics: ['webhook-retry'], at: SEED_TIME + DAY, project: '/code/lantern' },
    { session: 'a', user: 'three', topics: ['webhook-retry'], at: SEED_TIME + DAY, project: '/code/lantern' },
    { session: 'b', user: 'four', topics: ['lease'], at: SEED_TIME + 2 * DAY, project: '/code/quill' },
    { session: 'c', user: 'five', topics: ['secret'], agent: 'other' },
    { session: 'b', user: 'six', topics: ['abandoned'], superseded: true },
    { session: 'b', user: 'seven', topics: [] },
  ])
  return store
}
const names = ({ topics }: Awaited<ReturnType<typeof listTopics>>) => topics.map(({ topic }) => topic)

it('the commonest first: by conversations, then by chunks, with first and last day', async () => {
  const answer = await listTopics(await seeded(), {}, OPTIONS)
  expect(answer).toEqual({
    topics: [
      { topic: 'lease', count: 2, conversations: 2, first_at: toIso(SEED_TIME), last_at: toIso(SEED_TIME + 2 * DAY) },
      { topic: 'webhook-retry', count: 3, conversations: 1, first_at: toIso(SEED_TIME), last_at: toIso(SEED_TIME + DAY) },
    ],
    total: 2,
  })
})

it('of a project, of a time, of a persona; the limit leaves out and says how many there are', async () => {
  const store = await seeded()
  expect(names(await listTopics(store, { project: 'quill' }, OPTIONS))).toEqual(['lease'])
  expect(names(await listTopics(store, { after: toIso(SEED_TIME + 2 * DAY) }, OPTIONS))).toEqual(['lease'])
  expect(names(await listTopics(store, { before: toIso(SEED_TIME + DAY) }, OPTIONS))).toEqual(['lease', 'webhook-retry'])
  expect(names(await listTopics(store, { agent: 'other' }, OPTIONS))).toEqual(['secret'])
  expect(names(await listTopics(store, { agent: 'all' }, OPTIONS))).toContain('secret')
  expect(await listTopics(store, { limit: 1 }, OPTIONS)).toMatchObject({ topics: [{ topic: 'lease' }], total: 2 })
  await expect(listTopics(store, { limit: 0 }, OPTIONS)).rejects.toMatchObject({ code: 'USAGE' })
})

it('what was published of a session, and a dossier, say again what was said: they do not count', async () => {
  const store = await tempStore()
  await seedChunks(store, [
    { session: 'a', user: 'one', topics: ['lease'] },
    { path: 'memory/s--summary.md', source: 'memory', user: 'two', topics: ['decision'] },
    { path: 'dossiers/lease.md', source: 'memory', user: 'three', topics: ['dossier'] },
    { path: 'notes/tides.md', source: 'memory', user: 'four', topics: ['tide'] },
  ])
  await store.write((tx) =>
    tx.db
      .insertInto('artifacts')
      .values({
        ...{ source_path: 'memory/s--summary.md', source_sha256: 'x', source_kind: 'summary', agent_id: 'main', session_id: 'a' },
        ...{ session_token: 't', captured_at: SEED_TIME, created_at: SEED_TIME, updated_at: SEED_TIME },
      })
      .execute(),
  )
  expect(names(await listTopics(store, {}, OPTIONS)).sort()).toEqual(['lease', 'tide'])
})
