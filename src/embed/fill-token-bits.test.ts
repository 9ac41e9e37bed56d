/** Token bits for existing vectors: early stops, rejected texts, concurrent changes. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { SEED_TIME, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { type EmbedChunksOptions, embedChunks } from './embed-chunks.ts'
import { type Embedder, embeddingFailed } from './embedder.ts'

const seeds = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ user: `question ${i}`, session: 'one', at: SEED_TIME + i * 60_000 }))

function run(store: Store, embedder: Embedder, more: Partial<EmbedChunksOptions> = {}) {
  const clock = () => NOON
  const leased = { name: 'embed', clock, ttlMs: 60_000, waitMs: 0 }
  return withLease(store, leased, (lease) => embedChunks({ store, embedder, clock, lease, batchSize: 4, ...more }))
}

/** Vectors without token bits. */
async function without(count: number) {
  const store = await tempStore()
  const ids = await seedChunks(store, seeds(count))
  await run(store, fakeEmbedder())
  return { store, ids }
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

const rows = (store: Store) => store.read.selectFrom('token_bits').selectAll().orderBy('number').execute()
const vectors = (store: Store) => store.read.selectFrom('vectors').select(['number', 'vector']).orderBy('number').execute()

describe('bits of tokens that are filled in', () => {
  it('time that runs out while they are filled in is said, and the next run goes on', async () => {
    const { store } = await without(10)
    const report = await run(store, fakeEmbedder({ tokens: true, before: takes(60_000) }), { budgetMs: 30_000 })
    expect(report).toMatchObject({ token_bits: 4, waiting: 0, failed: 0, stopped: 'budget' })
    expect(report.warnings).toEqual(['6 texts wait for the bits of their tokens: run mnemonic embed'])
    expect(await run(store, fakeEmbedder({ tokens: true }), { budgetMs: 30_000 })).toMatchObject({
      token_bits: 6,
      stopped: null,
      warnings: [],
    })
  })

  it('what answers for the model and is dead ends the run with the reason, and nothing is left out', async () => {
    const { store } = await without(5)
    const dead = fakeEmbedder({
      tokens: true,
      before: () => {
        throw embeddingFailed('it is dead', { fault: 'provider' })
      },
    })
    expect(await run(store, dead)).toMatchObject({
      ...{ token_bits: 0, stopped: 'provider' },
      warnings: ['it is dead', '5 texts wait for the bits of their tokens: run mnemonic embed'],
    })
    expect(await run(store, fakeEmbedder({ tokens: true }))).toMatchObject({ token_bits: 5, stopped: null })
  })

  it('an embedder that gives none for a text is not asked for ever', async () => {
    const { store } = await without(5)
    const { tokens, ...rest } = fakeEmbedder({ tokens: true })
    let calls = 0
    const signs = async (texts: readonly string[]) => {
      calls += 1
      if (calls > 5) throw new Error('asked for ever')
      return ((await tokens?.signs(texts)) ?? []).slice(1)
    }
    const states = async () => []
    expect(await run(store, { ...rest, tokens: { signs, states } })).toMatchObject({ token_bits: 3, stopped: null })
    expect(await store.vectors.tokenBits.coverage()).toMatchObject({ done: 3, waiting: 0 })
  })

  it('are of the text that the vector is of: a chunk whose context became another gets none', async () => {
    const { store, ids } = await without(3)
    await store.write(({ db }) =>
      db
        .updateTable('chunks')
        .set({ context: 'another context' })
        .where('id', '=', ids[1] as number)
        .execute(),
    )
    const embedder = fakeEmbedder({ tokens: true })
    expect(await run(store, embedder)).toMatchObject({ token_bits: 2, stopped: null })
    expect(embedder.calls.flat().join()).not.toContain('another context')
    expect([...(await store.vectors.tokenBits.of(ids, 32)).keys()].sort()).toEqual([ids[0], ids[2]])
  })

  it('of a vector that no chunk has any more they go, as soon as no chunk waits; the vector stays', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, seeds(4))
    await run(store, fakeEmbedder({ tokens: true }))
    await store.write(async ({ db, vectors: { tokenBits } }) => {
      await db
        .deleteFrom('chunks')
        .where('id', '=', ids[0] as number)
        .execute()
      await db
        .updateTable('index_chunks')
        .set({ embed_status: 'waiting', vector_number: null })
        .where('id', '=', ids[1] as number)
        .execute()
      await tokenBits.clean()
    })
    expect(await rows(store)).toHaveLength(4)
    const embedder = fakeEmbedder({ tokens: true })
    // The waiting chunk's text is known, and so are its bits.
    expect(await run(store, embedder)).toMatchObject({ embedded: 0, reused: 1, token_bits: 0 })
    expect(embedder.calls).toEqual([])
    expect(await rows(store)).toHaveLength(3)
    expect(await vectors(store)).toHaveLength(4)
    // The text returns and gets its bits again.
    await seedChunks(store, seeds(1))
    expect(await run(store, fakeEmbedder({ tokens: true }))).toMatchObject({ embedded: 0, reused: 1, token_bits: 1 })
    expect(await rows(store)).toHaveLength(4)
  })

  it('change with the model, and back', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, seeds(4))
    await run(store, fakeEmbedder({ tokens: true }))
    const before = await store.vectors.tokenBits.of(ids, 32)
    await run(store, fakeEmbedder({ tokens: true, model: 'another', dimensions: 64 }))
    expect((await store.vectors.tokenBits.of(ids, 64)).size).toBe(4)
    expect((await rows(store)).every(({ size }) => (size ?? 1) % 8 === 0)).toBe(true)
    await run(store, fakeEmbedder({ tokens: true }))
    expect(await store.vectors.tokenBits.of(ids, 32)).toEqual(before)
    expect(await rows(store)).toHaveLength(4)
  })

  it('a second process does not fill while one is at it', async () => {
    const { store } = await without(8)
    let second: Promise<unknown> | undefined
    const first = fakeEmbedder({
      tokens: true,
      before: async () => {
        second ??= run(store, fakeEmbedder({ tokens: true })).catch((error: unknown) => error)
        await second
      },
    })
    expect(await run(store, first)).toMatchObject({ token_bits: 8 })
    expect(await second).toMatchObject({ code: 'JOB_RUNNING' })
    expect((await rows(store)).every(({ bits, size }) => bits?.length === size)).toBe(true)
  })

  it('a process that lost its lease writes none', async () => {
    const { store } = await without(3)
    const late = fakeEmbedder({
      tokens: true,
      before: () => store.write(({ db }) => db.updateTable('leases').set({ owner: 'another' }).execute()).then(() => undefined),
    })
    await expect(run(store, late)).rejects.toMatchObject({ code: 'LEASE_LOST' })
    expect(await store.vectors.tokenBits.coverage()).toMatchObject({ done: 0, waiting: 3 })
  })
})
