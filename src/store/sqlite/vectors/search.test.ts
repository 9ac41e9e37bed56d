import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SEED_TIME, type SeedChunk, seedChunks } from '../../../../test/helpers/seed-chunks.ts'
import { assignVectors, cosine, SEED_MODEL, seededRandom, seedVectors } from '../../../../test/helpers/seed-vectors.ts'
import { NOON, tempFolder } from '../../../../test/helpers/store.ts'
import type { Store } from '../../store.ts'
import type { VectorFilter } from '../../vectors.ts'
import { openSqlite } from '../open.ts'
import { unitVector, vectorBlob } from './blob.ts'

async function open(exactMost: number, path = join(tempFolder(), 'mnemonic.db')): Promise<Store> {
  const store = await openSqlite({ path, clock: () => NOON, vectors: { exactMost } })
  onTestFinished(() => store.close())
  return store
}

const DAY = 86_400_000
const COUNT = 240

/** Chunks that differ in every filterable property. */
function seeds(count = COUNT): SeedChunk[] {
  return Array.from({ length: count }, (_, i) => ({
    ...(i % 4 === 3 ? {} : { user: `question ${i}` }),
    ...(i % 4 === 2 ? {} : { assistant: `answer ${i}` }),
    session: `session-${i % 12}`,
    agent: i % 12 === 5 ? 'other' : 'main',
    project: i % 12 < 3 ? '/home/me/notes' : '/home/me/code',
    at: SEED_TIME + i * DAY,
    topics: i % 7 === 0 ? ['Release Notes'] : ['other'],
    decision: i % 9 === 0,
    ledger: i % 12 === 4 ? 'events' : 'agents',
    source: i % 12 === 4 ? 'events' : 'sessions',
    superseded: i % 10 === 1,
    speakers: i % 6 === 0 ? ['Ada Smith', 'assistant'] : ['user', 'assistant'],
  }))
}

const FILTERS: readonly (readonly [string, VectorFilter, (seed: SeedChunk) => boolean])[] = [
  ['nothing', {}, () => true],
  ['the agent', { agentId: 'other' }, (seed) => seed.agent === 'other'],
  ['an agent that nobody is', { agentId: 'nobody' }, () => false],
  [
    'times',
    { after: SEED_TIME + 20 * DAY, before: SEED_TIME + 90 * DAY },
    ({ at = 0 }) => at >= SEED_TIME + 20 * DAY && at < SEED_TIME + 90 * DAY,
  ],
  [
    'times of an agent',
    { agentId: 'main', after: SEED_TIME + 200 * DAY },
    (seed) => seed.agent === 'main' && (seed.at ?? 0) >= SEED_TIME + 200 * DAY,
  ],
  ['a project', { project: { keys: ['/home/me/notes'], folders: [], ids: [] } }, (seed) => seed.project === '/home/me/notes'],
  ['a session', { sessionId: 'jsonl:session-3' }, (seed) => seed.session === 'session-3'],
  ['topics', { topics: ['release-notes', 'none'] }, (seed) => seed.topics?.[0] === 'Release Notes'],
  ['a decision', { hasDecision: true }, (seed) => seed.decision === true],
  ['a ledger', { ledger: 'events' }, (seed) => seed.ledger === 'events'],
  ['sources', { sources: ['events'] }, (seed) => seed.source === 'events'],
  ['a speaker', { speaker: ['ada'] }, (seed) => seed.speakers?.[0] === 'Ada Smith'],
  ['a role', { role: 'user' }, (seed) => seed.user !== undefined],
  ['the other role', { role: 'assistant' }, (seed) => seed.assistant !== undefined],
  [
    'several at once',
    { agentId: 'main', hasDecision: true, after: SEED_TIME + 50 * DAY, role: 'user' },
    (seed) => seed.agent === 'main' && seed.decision === true && (seed.at ?? 0) >= SEED_TIME + 50 * DAY && seed.user !== undefined,
  ],
]

describe.each([
  ['every chunk compared', 100_000],
  ['candidates from sign bits', 0],
])('the nearest chunks, %s', (_, exactMost) => {
  it('are those that a plain comparison finds, under every filter', async () => {
    const store = await open(exactMost)
    const chunks = seeds()
    const ids = await seedChunks(store, chunks)
    const all = seedVectors(COUNT)
    await assignVectors(
      store,
      ids.map((id, i) => [id, all[i] as Float32Array]),
    )
    for (const [i, [name, filter, passes]] of FILTERS.entries()) {
      for (const branches of [false, true]) {
        const query = seedVectors(1, { seed: 50 + i })[0] as Float32Array
        const expected = chunks
          .map((seed, n) => ({ seed, chunkId: ids[n] as number, similarity: cosine(query, all[n] as Float32Array) }))
          .filter(({ seed }) => passes(seed) && (branches || !seed.superseded))
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, 7)
        const found = await store.vectors.nearest(query, { ...filter, branches }, 7)
        expect(
          found.map((hit) => hit.chunkId),
          name,
        ).toEqual(expected.map((hit) => hit.chunkId))
        for (const [n, hit] of found.entries()) expect(hit.similarity, name).toBeCloseTo(expected[n]?.similarity as number, 3)
      }
    }
  })

  it('are all that pass when fewer pass than are asked for', async () => {
    const store = await open(exactMost)
    const ids = await seedChunks(store, seeds(60))
    const all = seedVectors(60)
    await assignVectors(
      store,
      ids.map((id, i) => [id, all[i] as Float32Array]),
    )
    expect(await store.vectors.nearest(all[0] as Float32Array, { sessionId: 'jsonl:session-2', branches: true }, 50)).toHaveLength(5)
    expect(await store.vectors.nearest(all[0] as Float32Array, {}, 0)).toEqual([])
  })

  it('with equal vectors come in the order of their ids, and share one stored vector', async () => {
    const store = await open(exactMost)
    const ids = await seedChunks(
      store,
      Array.from({ length: 30 }, (_, i) => ({ user: `same ${i}` })),
    )
    const [vector] = seedVectors(1) as [Float32Array]
    await assignVectors(
      store,
      ids.map((id) => [id, vector]),
    )
    const hits = await store.vectors.nearest(vector, {}, 20)
    expect(hits.map((hit) => hit.chunkId)).toEqual(ids.slice(0, 20))
    expect(hits[0]?.similarity).toBeCloseTo(1, 4)
    expect(await store.read.selectFrom('embeddings').select('number').execute()).toHaveLength(1)
  })

  it('follow what another connection adds, changes and removes', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const store = await open(exactMost, path)
    const other = await open(exactMost, path)
    const all = seedVectors(40)
    const [a, b] = all as [Float32Array, Float32Array]
    const ids = await seedChunks(
      other,
      Array.from({ length: 20 }, (_, i) => ({ user: `text ${i}` })),
    )
    await assignVectors(
      other,
      ids.slice(1).map((id, i) => [id, all[i + 1] as Float32Array]),
    )
    const best = async (query: Float32Array, filter: VectorFilter = {}) => (await store.vectors.nearest(query, filter, 1))[0]?.chunkId
    expect(await best(a)).not.toBe(ids[0])

    await assignVectors(other, [[ids[0] as number, a]]) // a lower id than any known one
    expect(await best(a)).toBe(ids[0])

    await assignVectors(other, [
      [ids[5] as number, a],
      [ids[0] as number, b],
    ])
    expect(await best(a)).toBe(ids[5])

    await other.write(
      async ({ db }) =>
        void (await db
          .updateTable('chunks')
          .set({ superseded: 1 })
          .where('id', '=', ids[5] as number)
          .execute()),
    )
    expect(await best(a)).not.toBe(ids[5])
    expect(await best(a, { branches: true })).toBe(ids[5])

    await other.write(
      async ({ db }) =>
        void (await db
          .updateTable('chunks')
          .set({ superseded: 0, agent_id: 'x' })
          .where('id', '=', ids[5] as number)
          .execute()),
    )
    expect(await best(a, { agentId: 'x' })).toBe(ids[5])
    expect(await best(a, { agentId: 'main' })).not.toBe(ids[5])

    await other.write(async ({ db }) => void (await db.deleteFrom('files').execute()))
    expect(await store.vectors.nearest(a, {}, 5)).toEqual([])

    // SQLite reuses the ids of deleted rows.
    const again = await seedChunks(other, [{ user: 'new', session: 'later' }])
    expect(ids).toContain(again[0])
    expect(await store.vectors.nearest(a, {}, 5)).toEqual([])
    await assignVectors(other, [[again[0] as number, b]])
    expect((await store.vectors.nearest(a, {}, 5)).map((hit) => hit.chunkId)).toEqual(again)
  })

  it('are found again after more changes than the log keeps', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const store = await open(exactMost, path)
    const all = seedVectors(6)
    const ids = await seedChunks(
      store,
      Array.from({ length: 6 }, (_, i) => ({ user: `text ${i}` })),
    )
    await assignVectors(
      store,
      ids.map((id, i) => [id, all[i] as Float32Array]),
    )
    expect((await store.vectors.nearest(all[3] as Float32Array, {}, 1))[0]?.chunkId).toBe(ids[3])
    await assignVectors(store, [
      [ids[3] as number, all[0] as Float32Array],
      [ids[0] as number, all[3] as Float32Array],
    ])
    const raw = new Database(path)
    const newest = raw.prepare('select max(number) from chunk_sign_changes').pluck().get() as number
    raw.exec('delete from chunk_sign_changes')
    raw.prepare('insert into chunk_sign_changes values (?, ?)').run(newest + 1, ids[5])
    raw.close()
    expect((await store.vectors.nearest(all[3] as Float32Array, {}, 1))[0]?.chunkId).toBe(ids[0])
  })

  it('are none without a model, and a vector that cannot be one of the model is refused, not compared', async () => {
    const store = await open(exactMost)
    const [vector] = seedVectors(1) as [Float32Array]
    expect(await store.vectors.active()).toBeUndefined()
    expect(await store.vectors.nearest(vector, {}, 5)).toEqual([])
    expect(await store.vectors.similarities(vector, [1])).toEqual(new Map())
    const ids = await seedChunks(store, [{ user: 'one' }])
    await assignVectors(store, [[ids[0] as number, vector]])
    for (const bad of [new Float32Array(99).fill(1), new Float32Array(100), new Float32Array(100).fill(Number.NaN), new Float32Array(0)]) {
      await expect(store.vectors.nearest(bad, {}, 5)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED', recoverable: true })
      await expect(store.vectors.similarities(bad, ids)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
    }
  })

  it('leave out a stored vector of another length', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const store = await open(exactMost, path)
    const all = seedVectors(3)
    const ids = await seedChunks(store, [{ user: 'one' }, { user: 'two' }, { user: 'three' }])
    await assignVectors(
      store,
      ids.map((id, i) => [id, all[i] as Float32Array]),
    )
    const raw = new Database(path)
    raw.exec("update vectors set vector = x'00000000' where number = 2")
    raw.exec("update chunk_signs set bits = x'00' where chunk_id = 3")
    raw.close()
    const hits = await store.vectors.nearest(all[1] as Float32Array, {}, 5)
    expect(hits.map((hit) => hit.chunkId)).not.toContain(ids[1])
    expect(hits.map((hit) => hit.chunkId)).toContain(ids[0])
    expect((await store.vectors.similarities(all[1] as Float32Array, ids)).has(ids[1] as number)).toBe(false)
  })
})

describe('sign bits', () => {
  it('find nearly all of the nearest among thousands, whatever share of them passes, and say what they hold', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const store = await open(1000, path)
    const all = await manyChunks(path, 18_000)
    const rand = seededRandom(8)
    const queries = Array.from({ length: 10 }, () => (all[Math.floor(rand() * all.length)] as Float32Array).map((x) => x + rand() - 0.5))
    const shares = new Map<string, number>()
    for (const query of queries) {
      const truth = all.map((vector, i) => ({ id: i + 1, similarity: cosine(query, vector) })).sort((a, b) => b.similarity - a.similarity)
      for (const [name, filter, passes] of [
        ['all', {}, () => true],
        ['all, by a filter', { sources: ['sessions'] }, () => true],
        ['one in seven', { ledger: 'events' }, (id: number) => id % 7 === 0],
        ['one in forty', { hasDecision: true }, (id: number) => id % 40 === 0],
        ['half, by time', { agentId: 'main', after: 9001 }, (id: number) => id > 9000 && id % 1000 !== 0],
        ['few, by agent and filter', { agentId: 'rare', ledger: 'agents' }, (id: number) => id % 1000 === 0 && id % 7 !== 0],
      ] as const) {
        const expected = truth.filter(({ id }) => passes(id)).slice(0, 10)
        const hits = await store.vectors.nearest(query, filter, 10)
        expect(hits, name).toHaveLength(10)
        expect(
          hits.every(({ chunkId }) => passes(chunkId)),
          name,
        ).toBe(true)
        const found = hits.filter(({ chunkId }) => expected.some(({ id }) => id === chunkId)).length
        shares.set(name, (shares.get(name) ?? 0) + found / 100)
      }
    }
    for (const [name, share] of shares) expect(share, name).toBeGreaterThanOrEqual(0.97)
    expect(shares.get('one in forty')).toBeCloseTo(1, 9) // 450 pass, so all are compared
    expect(store.vectors.memory()).toBeGreaterThan(18_000 * 16)
    expect(store.vectors.memory()).toBeLessThan(20_480 * 40)
  })

  it('are loaded once for searches that come together', async () => {
    const path = join(tempFolder(), 'mnemonic.db')
    const store = await open(100, path)
    const all = await manyChunks(path, 3000)
    const queries = all.slice(0, 8)
    const together = await Promise.all(queries.map((query) => store.vectors.nearest(query, {}, 1)))
    expect(together.map(([hit]) => hit?.chunkId)).toEqual(queries.map((_, i) => i + 1))
  })
})

/** Bypasses the port for speed; writing is not under test. */
async function manyChunks(path: string, count: number): Promise<Float32Array[]> {
  const store = await openSqlite({ path, clock: () => NOON })
  await seedChunks(store, [{ user: 'first' }])
  const all = seedVectors(count, { centres: 50 })
  await assignVectors(store, [[1, all[0] as Float32Array]])
  await store.close()
  const db = new Database(path)
  db.exec('begin')
  db.exec('update chunks set timestamp = 1')
  const add = db.prepare(
    "insert into vectors (number, config, hash, vector) values (?, (select config from vectors where number = 1), 'h', ?)",
  )
  for (const [i, vector] of all.entries()) if (i > 0) add.run(i + 1, vectorBlob(unitVector(vector, { ...SEED_MODEL, id: '' })))
  db.prepare(`insert into chunks (id, path, source, ledger, session_id, turn_id, chunk_index, timestamp, speakers, message_ids, said_user, token_count, trust,
      content_hash, embed_status, vector_number, has_decision, agent_id, created_at)
    select e.number, c.path, c.source, iif(e.number % 7 = 0, 'events', 'agents'), c.session_id, c.turn_id, e.number, e.number, '[]', '[]', 'x', 1, 'owner', 'h', 'done', e.number, e.number % 40 = 0, iif(e.number % 1000 = 0, 'rare', 'main'), 1
    from vectors e cross join chunks c where e.number > 1 and c.id = 1`).run()
  const sign = db.prepare('insert into chunk_signs values (?, (select id from embedding_configs), ?)')
  for (const [i, vector] of all.entries()) {
    if (i === 0) continue
    const bits = Buffer.alloc(13)
    for (const [d, value] of vector.entries()) if (value > 0) bits.writeUInt8(bits.readUInt8(d >> 3) | (1 << (d & 7)), d >> 3)
    sign.run(i + 1, bits)
  }
  db.exec('commit')
  db.close()
  expect(all[0]).toHaveLength(SEED_MODEL.dimensions)
  return all
}

it('the first search of a process compares all of not too many chunks, and loads no bits for it; both ways find the same', async () => {
  const store = await openSqlite({
    path: join(tempFolder(), 'mnemonic.db'),
    clock: () => NOON,
    vectors: { exactMost: 0, exactAtFirst: COUNT },
  })
  onTestFinished(() => store.close())
  const ids = await seedChunks(store, seeds())
  const vectors = seedVectors(ids.length)
  await assignVectors(
    store,
    ids.map((id, i) => [id, vectors[i] as Float32Array]),
  )
  const [query] = seedVectors(1, { seed: 2 })
  const first = await store.vectors.nearest(query as Float32Array, {}, 10)
  expect(store.vectors.memory()).toBe(0)
  const second = await store.vectors.nearest(query as Float32Array, {}, 10)
  expect(store.vectors.memory()).toBeGreaterThan(0)
  expect(second.map(({ chunkId }) => chunkId)).toEqual(first.map(({ chunkId }) => chunkId))
})
