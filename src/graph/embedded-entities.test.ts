import { expect, it } from 'vitest'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { found, from, named, runOf, type Told, tell } from '../../test/helpers/graph-story.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { embedChunks } from '../embed/embed-chunks.ts'
import type { Embedder } from '../embed/embedder.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { entitiesLike } from './entities-like.ts'
import { settle } from './settle.ts'
import { writeExtracted } from './write-extracted.ts'

const clock = () => NOON
const embed = (store: Store, embedder: Embedder) =>
  withLease(store, { name: 'embed', clock, ttlMs: 60_000, waitMs: 0 }, (lease) =>
    embedChunks({ store, embedder, clock, lease, batchSize: 2 }),
  )

const TOLD: Told = {
  id: 'm1',
  trust: 'owner',
  says: 'big data platform, platform data big, release 1 train, release 2 train, Anna Smith, Smith Anna',
}

async function written(): Promise<Store> {
  const store = await tempStore()
  await store.write(async (tx) => {
    const runId = await runOf(tx, await tell(tx, TOLD))
    const things = ['big data platform', 'platform data big', 'release 1 train', 'release 2 train'].map((name) =>
      named(TOLD, name, 'project'),
    )
    await writeExtracted(tx, from(TOLD, { runId }), found([...things, named(TOLD, 'Anna Smith')]))
  })
  return store
}

const owners = (store: Store) => store.read.selectFrom('vector_owners').selectAll().where('owner_type', '=', 'entity').execute()

it('what was written waits, is embedded by the job of the chunks, and not again', async () => {
  const store = await written()
  const embedder = fakeEmbedder()
  expect((await embed(store, embedder)).entities).toBe(5)
  expect(embedder.calls.flat()).toContain('person: Anna Smith')
  expect(await owners(store)).toHaveLength(5)
  const calls = embedder.calls.length
  expect((await embed(store, embedder)).entities).toBe(0)
  expect(embedder.calls).toHaveLength(calls)
  const other = fakeEmbedder({ model: 'other-words' })
  expect((await embed(store, other)).entities).toBe(5)
  expect(await owners(store)).toHaveLength(5)
})

it('names of nearly the same meaning are proposed, unless a digit differs; people never', async () => {
  const store = await written()
  await embed(store, fakeEmbedder())
  await store.write((tx) => settle(tx))
  const rows = await store.read.selectFrom('merge_candidates').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ status: 'proposed', auto_eligible: 0, confidence: 0.35 })
  expect(rows[0]?.evidence_json).toContain('"by":"embedding"')
})

it('an entity takes its vector along', async () => {
  const store = await written()
  await embed(store, fakeEmbedder())
  await store.write((tx) => tx.db.deleteFrom('events').where('id', '=', 'imessage:m1').execute())
  expect(await owners(store)).toEqual([])
  expect(await store.read.selectFrom('vectors').select('number').execute()).toEqual([])
})

it('is found by its name first, then by what means about the same', async () => {
  const store = await written()
  const embedder = fakeEmbedder()
  await embed(store, embedder)
  const like = async (text: string, more: object = {}) => {
    const [vector] = await embedder.embed([text])
    const all = await entitiesLike(store, text, { agentId: 'main', limit: 10, vector, ...more })
    return all.map(({ name, by }) => [name, by])
  }
  expect((await like('big data platform')).slice(0, 2)).toEqual([
    ['big data platform', 'name'],
    ['platform data big', 'meaning'],
  ])
  expect((await like('the platform of big data')).map(([, by]) => by)).toEqual(['meaning', 'meaning'])
  expect(await like('the platform of big data', { vector: undefined })).toEqual([])
  expect(await like('quartz violin')).toEqual([])
  expect(await like('the platform of big data', { agentId: 'other' })).toEqual([])
  expect(await like('the platform of big data', { type: 'person' })).toEqual([])
  expect(await like('the platform of big data', { limit: 1 })).toHaveLength(1)
})

it('repositories whose names mean nearly the same are proposed, too', async () => {
  const store = await tempStore()
  const told: Told = { id: 'm2', trust: 'owner', says: 'big data platform and platform data big' }
  await store.write(async (tx) => {
    const runId = await runOf(tx, await tell(tx, told))
    const repository = (value: string) => [{ type: 'repository', value, from: 'header' } as const]
    const things = [
      named(told, 'big data platform', 'project', repository('ada/warehouse')),
      named(told, 'platform data big', 'project', repository('eve/lakes')),
    ]
    await writeExtracted(tx, from(told, { runId }), found(things))
  })
  await embed(store, fakeEmbedder())
  await store.write((tx) => settle(tx))
  const rows = await store.read.selectFrom('merge_candidates').select('evidence_json').execute()
  expect(rows.map(({ evidence_json }) => evidence_json)).toEqual([expect.stringContaining('"by":"embedding"')])
})
