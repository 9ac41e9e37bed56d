/** After a lease is lost, no leased job may write anything in any of its transactions. */
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { runAdapter } from '../../test/helpers/run-adapters.ts'
import { SEED_TIME, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { appendTurns, exchange, seedSession } from '../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { embedChunks } from '../embed/embed-chunks.ts'
import { applyTombstones, removeOrphans } from '../forget/remove/apply-tombstones.ts'
import { indexer } from '../index/indexer.ts'
import { aixEvents } from '../ingest/events/aix-events.ts'
import { unifyProjects } from '../ledgers/unify-projects.ts'
import { addTombstones } from '../tombstones/write-tombstones.ts'
import { startJob } from './job.ts'
import { type Lease, withLease } from './lease.ts'
import type { Store } from './store.ts'

const clock = () => NOON

function rows(store: Store, tables: readonly string[]): Record<string, unknown[]> {
  const db = new Database(store.location, { readonly: true })
  const all = Object.fromEntries(tables.map((table) => [table, db.prepare(`select * from ${table}`).all()]))
  db.close()
  return all
}

function takeOver(store: Store): void {
  const db = new Database(store.location)
  db.exec("update leases set owner = 'somebody-else'")
  db.close()
}

/** Takes the lease over before the work, or during it when `lost` is called. */
async function expectStopped(
  store: Store,
  tables: readonly string[],
  work: (lease: Lease, lost: () => void) => Promise<unknown>,
  when: 'before' | 'within' = 'before',
): Promise<void> {
  let before: unknown
  const lost = () => {
    takeOver(store)
    before = rows(store, tables)
  }
  const run = withLease(store, { name: 'writer', clock, ttlMs: 60_000, waitMs: 0 }, (lease) => {
    if (when === 'before') lost()
    return work(lease, lost)
  })
  await expect(run).rejects.toMatchObject({ code: 'LEASE_LOST' })
  expect(before).toBeDefined()
  expect(rows(store, tables)).toEqual(before)
  await store.write((tx) => tx.db.deleteFrom('leases').execute())
}

const harbor = { id: 'harbor', turns: [exchange('Which harbor is deepest?', 'Rotterdam is deep enough for all of them.')] }

it('a job is not begun', async () => {
  const store = await tempStore()
  await expectStopped(store, ['jobs'], (lease) => startJob(store, { kind: 'sync', agentId: 'main', clock, lease }))
})

it('no event is derived', async () => {
  const store = await tempStore()
  await seedSession(store, harbor)
  await expectStopped(store, ['events', 'threads', 'meta', 'sync_state'], (lease) =>
    runAdapter(store, aixEvents(store), { guard: lease.check }),
  )
})

it('no event of a session that is gone is removed', async () => {
  const store = await tempStore()
  await seedSession(store, harbor)
  await runAdapter(store, aixEvents(store))
  await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'deleted' }).execute())
  const tables = ['events', 'threads', 'sync_state']
  await expectStopped(store, tables, (lease) => runAdapter(store, aixEvents(store), { guard: lease.check }))
})

it('no project is renamed', async () => {
  const store = await tempStore()
  await seedSession(store, { ...harbor, project: '/home/dev/old' })
  const locate = () => ({ project: '/home/dev/new' })
  await expectStopped(store, ['agent_sessions'], (lease) => unifyProjects(store, { locate, guard: lease.check }))
})

it('no document is written, and the cursor stays', async () => {
  const store = await tempStore()
  const id = await seedSession(store, harbor)
  const index = indexer({ store, clock, owner: { name: 'Ann', timezone: 'UTC' } })
  const tables = ['files', 'chunks', 'index_state', 'meta']
  await expectStopped(store, tables, (lease) => index.tail({ lease }))
  await index.tail()
  // Only the cursor would move: the change belongs to another agent.
  await seedSession(store, { ...harbor, id: 'other', agentId: 'other' })
  await expectStopped(store, tables, (lease) => index.tail({ lease, agentId: 'main' }))
  await appendTurns(store, id, [exchange('And the next one?', 'Hamburg comes next, after much dredging.')])
  await expectStopped(store, tables, (lease) => index.tail({ lease, agentId: 'main' }))
  await store.write((tx) => tx.db.updateTable('agent_sessions').set({ status: 'deleted' }).execute())
  await expectStopped(store, tables, (lease) => index.clean({ lease }))
})

it('no vector is kept that was computed while the lease was lost', async () => {
  const store = await tempStore()
  await seedChunks(store, [{ user: 'a question', assistant: 'an answer', session: 'one', at: SEED_TIME }])
  const tables = ['chunks', 'embeddings', 'chunk_signs']
  const fake = fakeEmbedder()
  const work = (lease: Lease, lost: () => void) =>
    embedChunks({
      ...{ store, clock, lease, batchSize: 4 },
      embedder: {
        ...fake,
        embed: async (texts, options) => {
          const vectors = await fake.embed(texts, options)
          lost()
          return vectors
        },
      },
    })
  await expectStopped(store, tables, work, 'within')
})

it('nothing is removed', async () => {
  const store = await tempStore()
  const id = await seedSession(store, harbor)
  await indexer({ store, clock, owner: { name: 'Ann', timezone: 'UTC' } }).tail()
  await store.write((tx) => addTombstones(tx, [{ kind: 'session', agentId: 'main', id }], { removedAt: NOON, reason: 'owner' }))
  const tables = ['agent_sessions', 'agent_messages', 'chunks', 'extraction_cache']
  await expectStopped(store, tables, (lease) => applyTombstones({ store, guard: lease.check, clock, quietMs: 0 }))
  await store.write((tx) => tx.db.deleteFrom('chunks').execute())
  await expectStopped(store, tables, (lease) => removeOrphans(store, lease.check))
})
