import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type FakeEmbedder, fakeEmbedder, fakeVector } from '../../test/helpers/fake-embedder.ts'
import { SEED_TIME, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { sha256 } from '../core/hash.ts'
import type { ProgressEvent } from '../core/progress.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { readBackOff } from './back-off.ts'
import { type EmbedChunksOptions, embedChunks } from './embed-chunks.ts'
import type { Embedder } from './embedder.ts'
import { embeddingFailed } from './embedder.ts'

const seeds = (count: number, session = 'one') =>
  Array.from({ length: count }, (_, i) => ({
    user: `question ${session} ${i}`,
    assistant: `answer ${i}`,
    session,
    at: SEED_TIME + i * 60_000,
  }))

function run(store: Store, embedder: Embedder, more: Partial<EmbedChunksOptions> = {}) {
  const clock = more.clock ?? (() => NOON)
  const leased = { name: 'embed', clock, ttlMs: 60_000, waitMs: 0 }
  return withLease(store, leased, (lease) => embedChunks({ store, embedder, clock, lease, batchSize: 4, ...more }))
}

/** Advances the clock without waiting. */
function takes(ms: number): () => void {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  return () => {
    now += ms
  }
}

async function stored(store: Store): Promise<Map<number, Float32Array>> {
  // The public view: float32, whatever is stored.
  const { rows } = await store.select('select chunk_id, embedding from session_embeddings', 1000)
  return new Map((rows as [number, Buffer][]).map(([id, vector]) => [id, new Float32Array(new Uint8Array(vector).buffer)]))
}

const statuses = async (store: Store) =>
  (await store.read.selectFrom('chunks').select('embed_status').orderBy('id').execute()).map((row) => row.embed_status)

const lastJob = (store: Store) =>
  store.read.selectFrom('jobs').selectAll().where('kind', '=', 'embed').orderBy('id', 'desc').limit(1).executeTakeFirst()

const texts = (embedder: FakeEmbedder) => embedder.calls.flat()

describe('embedChunks', () => {
  it('gives every chunk the vector of its context and content, as the view composes them', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, seeds(10))
    const embedder = fakeEmbedder()
    const report = await run(store, embedder)
    expect(report).toMatchObject({
      model: 'fake-words',
      dimensions: 32,
      embedded: 10,
      reused: 0,
      failed: 0,
      waiting: 0,
      stopped: null,
      warnings: [],
    })
    const view = await store.select('select id, context_content from session_chunks order by id', 100)
    const vectors = await stored(store)
    expect([...vectors.keys()].sort((a, b) => a - b)).toEqual(ids)
    for (const [id, text] of view.rows as [number, string][]) {
      const expected = fakeVector(text)
      expect(Math.max(...(vectors.get(id) ?? []).map((value, d) => Math.abs(value - (expected[d] ?? 9))))).toBeLessThan(1e-3)
    }
    const hashes = await store.read.selectFrom('embeddings').select('content_hash').execute()
    expect(new Set(hashes.map((row) => row.content_hash))).toEqual(
      new Set((view.rows as [number, string][]).map(([, text]) => sha256(text))),
    )
  })

  it('takes the newest first, in batches, and tells how far it is', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(10))
    const embedder = fakeEmbedder()
    const told: ProgressEvent[] = []
    await run(store, embedder, { onProgress: (event) => told.push(event) })
    expect(embedder.calls.map((call) => call.length)).toEqual([4, 4, 2])
    expect(embedder.calls[0]?.[0]).toContain('question one 9')
    expect(embedder.calls[2]?.[1]).toContain('question one 0')
    expect(told.at(-1)).toEqual({ stage: 'embed', done: 10, total: 10 })
  })

  it('embeds no text twice: not the same text in two chunks, not after the index was built again', async () => {
    const store = await tempStore()
    const same = { user: 'the very same', assistant: 'words' }
    await seedChunks(store, [same, same, { user: 'other', assistant: 'words' }])
    const first = fakeEmbedder()
    expect(await run(store, first)).toMatchObject({ embedded: 3, reused: 0 })
    expect(texts(first)).toHaveLength(2)
    await store.write(async ({ db }) => void (await db.deleteFrom('files').execute()))
    await store.write(async ({ db }) => void (await db.deleteFrom('agent_sessions').execute()))
    await seedChunks(store, [same, { user: 'other', assistant: 'words' }])
    const second = fakeEmbedder()
    expect(await run(store, second)).toMatchObject({ embedded: 0, reused: 2, waiting: 0 })
    expect(texts(second)).toEqual([])
    expect((await stored(store)).size).toBe(2)
  })

  it('a second run has nothing to do', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(3))
    await run(store, fakeEmbedder())
    const again = fakeEmbedder()
    expect(await run(store, again)).toMatchObject({ embedded: 0, reused: 0, waiting: 0 })
    expect(again.calls).toEqual([])
  })

  it('--session embeds that session only', async () => {
    const store = await tempStore()
    await seedChunks(store, [...seeds(3, 'one'), ...seeds(2, 'two')])
    expect(await run(store, fakeEmbedder(), { session: 'jsonl:two' })).toMatchObject({ embedded: 2, waiting: 3 })
    expect(await statuses(store)).toEqual(['waiting', 'waiting', 'waiting', 'done', 'done'])
  })

  it('redacts a secret in the lines before the text', async () => {
    const store = await tempStore()
    const [id] = await seedChunks(store, seeds(1))
    const key = `sk-proj-${'A1b2C3d4'.repeat(6)}`
    await store.write(({ db }) =>
      db
        .updateTable('chunks')
        .set({ context: `[Context: the key ${key}]` })
        .where('id', '=', id as number)
        .execute(),
    )
    const embedder = fakeEmbedder()
    await run(store, embedder)
    expect(texts(embedder)[0]).toMatch(/^\[Context: the key \[REDACTED:/)
    expect(texts(embedder).join()).not.toContain(key)
  })

  it('stops when its time is over, says what is left, and the next run completes with the vectors of one run', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(12))
    const report = await run(store, fakeEmbedder({ before: takes(60_000) }), { budgetMs: 30_000 })
    expect(report).toMatchObject({ embedded: 4, waiting: 8, stopped: 'budget' })
    expect(report.warnings).toEqual(['8 chunks wait for their vectors: run mnemonic embed'])
    expect(await lastJob(store)).toMatchObject({ status: 'done', items: 4, details_json: expect.stringContaining('"stopped":"budget"') })
    await run(store, fakeEmbedder())
    const whole = await tempStore()
    await seedChunks(whole, seeds(12))
    await run(whole, fakeEmbedder())
    expect(await stored(store)).toEqual(await stored(whole))
  })

  it('a raised signal ends it between batches; what was stored stays', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(12))
    const stop = new AbortController()
    const embedder = fakeEmbedder({ before: () => stop.abort() })
    await expect(run(store, embedder, { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect((await stored(store)).size).toBe(4)
    expect(await lastJob(store)).toMatchObject({ status: 'interrupted', items: 4 })
  })

  it('a chunk that is replaced while its text is embedded gets no vector of the old text', async () => {
    const store = await tempStore()
    const [id] = await seedChunks(store, seeds(1))
    let changed = false
    const embedder = fakeEmbedder({
      before: async () => {
        if (changed) return
        changed = true
        await store.write(({ db }) =>
          db
            .updateTable('chunks')
            .set({ said_user: 'something else', content_hash: 'other' })
            .where('id', '=', id as number)
            .execute(),
        )
      },
    })
    await run(store, embedder)
    const vector = (await stored(store)).get(id as number)
    expect(texts(embedder)).toHaveLength(2)
    expect(vector?.[0]).toBeCloseTo(fakeVector(texts(embedder)[1] ?? '')[0] as number, 3)
  })

  it('stores nothing of an embedder that gives vectors of another length', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(3))
    const wrong: Embedder = { ...fakeEmbedder(), embed: async (given) => given.map(() => Float32Array.of(1, 0)) }
    await expect(run(store, wrong)).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
    expect(await store.read.selectFrom('embeddings').selectAll().execute()).toEqual([])
    expect(await lastJob(store)).toMatchObject({ status: 'failed', error_code: 'EMBEDDING_FAILED' })
  })
})

describe('failures', () => {
  const bad = (word: string) =>
    fakeEmbedder({
      before: (given) => {
        if (given.some((text) => text.includes(word))) throw embeddingFailed('refused', { fault: 'input' })
      },
    })

  it('one bad text is flagged, all others are embedded, and only it is tried again, later and later', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(10))
    const report = await run(store, bad('one 5'))
    expect(report).toMatchObject({ embedded: 9, failed: 1, waiting: 0, stopped: null })
    expect(report.warnings).toEqual(['1 chunk could not be embedded: refused'])
    const model = { provider: 'fake', model: 'fake-words' }
    expect(await readBackOff(store, model)).toMatchObject({ failures: 1, fault: 'input', retryAt: NOON + 300_000 })

    const early = fakeEmbedder()
    await run(store, early, { clock: () => NOON + 299_000 })
    expect(early.calls).toEqual([])
    const due = bad('one 5')
    expect(await run(store, due, { clock: () => NOON + 301_000 })).toMatchObject({ embedded: 0, failed: 1 })
    expect(await readBackOff(store, model)).toMatchObject({ failures: 2, retryAt: NOON + 301_000 + 900_000 })
    const healed = fakeEmbedder()
    expect(await run(store, healed, { all: true })).toMatchObject({ embedded: 1, failed: 0 })
    expect(await readBackOff(store, model)).toBeUndefined()
    expect(new Set(await statuses(store))).toEqual(new Set(['done']))
  })

  it('a provider that is down is left alone: its batch is flagged, the rest waits, the job failed', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(10))
    let calls = 0
    const down = fakeEmbedder({
      before: () => {
        calls++
        throw embeddingFailed('cannot reach it', { fault: 'provider', retryAfterMs: 7_200_000 })
      },
    })
    expect(await run(store, down)).toMatchObject({ embedded: 0, failed: 4, waiting: 6, stopped: 'provider' })
    expect(calls).toBe(1)
    expect(await lastJob(store)).toMatchObject({ status: 'failed', error_code: 'EMBEDDING_FAILED', error_message: 'cannot reach it' })
    expect(await readBackOff(store, { provider: 'fake', model: 'fake-words' })).toMatchObject({
      fault: 'provider',
      retryAt: NOON + 7_200_000,
    })
    expect(await run(store, fakeEmbedder())).toMatchObject({ embedded: 10, failed: 0, waiting: 0, stopped: null })
  })

  it('where nothing passes, batch after batch, it stops', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(10))
    const report = await run(store, bad('question'), { batchSize: 1 })
    expect(report).toMatchObject({ embedded: 0, failed: 3, waiting: 7, stopped: 'provider' })
  })

  it('at the cap it stops politely: nothing is flagged', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(10))
    let calls = 0
    const capped = fakeEmbedder({
      before: () => {
        if (++calls > 1) throw embeddingFailed('today’s limit is reached', { fault: 'cap' })
      },
    })
    const report = await run(store, capped)
    expect(report).toMatchObject({ embedded: 4, failed: 0, waiting: 6, stopped: 'cap' })
    expect(report.warnings[0]).toContain('limit')
    expect(await lastJob(store)).toMatchObject({ status: 'done', error_message: 'today’s limit is reached' })
  })
})

describe('another model', () => {
  it('collects beside the old one, which answers until all of its vectors are there', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(10))
    await run(store, fakeEmbedder())
    const next = fakeEmbedder({ model: 'fake-2', dimensions: 16, before: takes(60_000) })
    expect(await run(store, next, { budgetMs: 30_000 })).toMatchObject({ model: 'fake-2', embedded: 4, waiting: 6, stopped: 'budget' })
    expect(await store.vectors.active()).toMatchObject({ model: 'fake-words', next: { model: 'fake-2' } })
    expect((await store.vectors.coverage()).embedded).toBe(10)
    expect(await run(store, next)).toMatchObject({ embedded: 6, waiting: 0, stopped: null })
    expect(await store.vectors.active()).toMatchObject({ model: 'fake-2', dimensions: 16 })
    expect((await store.vectors.active())?.next).toBeUndefined()
    expect([...(await stored(store)).values()].map((vector) => vector.length)).toEqual(Array(10).fill(16))
  })
})
