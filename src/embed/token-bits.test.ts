import { describe, expect, it } from 'vitest'
import { fakeEmbedder, fakeStates } from '../../test/helpers/fake-embedder.ts'
import { SEED_TIME, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { words } from '../core/text.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { type EmbedChunksOptions, embedChunks } from './embed-chunks.ts'
import { type Embedder, embeddingFailed } from './embedder.ts'
import { stateSigns } from './minilm/state-signs.ts'

const seeds = (count: number, session = 'one') =>
  Array.from({ length: count }, (_, i) => ({
    ...{ user: `question ${session} ${i}`, assistant: `answer ${i}`, session, at: SEED_TIME + i * 60_000 },
  }))

function run(store: Store, embedder: Embedder, more: Partial<EmbedChunksOptions> = {}) {
  const clock = () => NOON
  const leased = { name: 'embed', clock, ttlMs: 60_000, waitMs: 0 }
  return withLease(store, leased, (lease) => embedChunks({ store, embedder, clock, lease, batchSize: 4, ...more }))
}

const rows = async (store: Store) => (await store.read.selectFrom('token_bits').selectAll().orderBy('number').execute()) as Row[]
const vectors = (store: Store) => store.read.selectFrom('vectors').select(['number', 'vector']).orderBy('number').execute()
interface Row {
  readonly number: number
  readonly size: number | null
  readonly bits: Buffer | null
}

describe('bits of tokens', () => {
  it('are made with the vector, by one run of the model, and are the signs of the states of its text', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, seeds(6))
    const embedder = fakeEmbedder({ tokens: true })
    const report = await run(store, embedder)
    expect(report).toMatchObject({ embedded: 6, token_bits: 0 })
    const texts = embedder.calls.flat()
    expect(texts).toHaveLength(6)
    const kept = await store.vectors.tokenBits.of(ids, 32)
    expect([...kept.values()].map((bits) => Buffer.from(bits).toString('hex')).sort()).toEqual(
      texts.map((text) => Buffer.from(stateSigns(fakeStates(text), { pieces: words(text), dimensions: 32 })).toString('hex')).sort(),
    )
    expect(await store.vectors.tokenBits.coverage()).toMatchObject({ state: 'kept', done: 6, waiting: 0 })
  })

  it('vectors that were there before get theirs, newest first, and stay as they are', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(6))
    await run(store, fakeEmbedder())
    expect(await store.vectors.tokenBits.coverage()).toMatchObject({ state: 'none', done: 0, waiting: 0 })
    const before = await vectors(store)
    const embedder = fakeEmbedder({ tokens: true })
    expect(await run(store, embedder)).toMatchObject({ embedded: 0, token_bits: 6 })
    expect(embedder.calls.map((texts) => texts.length)).toEqual([4, 2])
    expect(embedder.calls[0]?.[0]).toContain('question one 5')
    expect(await vectors(store)).toEqual(before)
    expect((await rows(store)).every(({ bits, size }) => bits !== null && bits.length === size)).toBe(true)
    // Nothing waits: nothing is done.
    const again = fakeEmbedder({ tokens: true })
    expect(await run(store, again)).toMatchObject({ token_bits: 0 })
    expect(again.calls).toEqual([])
  })

  it('a run that is stopped leaves whole batches, and the next goes on with the rest; they are the same as of one run', async () => {
    const [store, whole] = [await tempStore(), await tempStore()]
    for (const one of [store, whole]) {
      await seedChunks(one, seeds(10))
      await run(one, fakeEmbedder())
    }
    await run(whole, fakeEmbedder({ tokens: true }))
    const stop = new AbortController()
    let calls = 0
    const stopping = fakeEmbedder({
      tokens: true,
      before: () => {
        calls += 1
        if (calls === 2) stop.abort()
      },
    })
    await expect(run(store, stopping, { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
    const { done, waiting } = await store.vectors.tokenBits.coverage()
    expect(done + waiting).toBe(10)
    expect(waiting).toBeGreaterThan(0)
    await run(store, fakeEmbedder({ tokens: true }))
    expect(await rows(store)).toEqual(await rows(whole))
  })

  it('false makes none, and removes those that are there; true makes them again', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(3))
    await run(store, fakeEmbedder({ tokens: true }))
    const before = await rows(store)
    await run(store, fakeEmbedder({ tokens: true }), { tokenBits: false })
    expect(await rows(store)).toEqual([])
    expect(await run(store, fakeEmbedder({ tokens: true }))).toMatchObject({ token_bits: 3 })
    expect(await rows(store)).toEqual(before)
  })

  it('go with their vector, and with their model', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, seeds(4))
    await run(store, fakeEmbedder({ tokens: true }))
    await store.write(async (tx) => {
      await tx.db
        .deleteFrom('chunks')
        .where('id', '=', ids[0] as number)
        .execute()
      await tx.vectors.clean()
    })
    expect(await rows(store)).toHaveLength(3)
    const old = await rows(store)
    await run(store, fakeEmbedder({ tokens: true, model: 'another' }))
    const now = await rows(store)
    expect(now).toHaveLength(3)
    expect(now.map(({ number }) => number).filter((number) => old.some((row) => row.number === number))).toEqual([])
    // A model without token data.
    await run(store, fakeEmbedder({ model: 'a third' }))
    expect(await rows(store)).toEqual([])
  })

  it('a text that gets none now waits no longer, and its vector stays', async () => {
    const store = await tempStore()
    await seedChunks(store, seeds(5))
    await run(store, fakeEmbedder())
    const refusing = fakeEmbedder({
      tokens: true,
      before: (texts) => {
        if (texts.some((text) => text.includes('question one 2'))) throw embeddingFailed('refused', { fault: 'input' })
      },
    })
    expect(await run(store, refusing)).toMatchObject({ token_bits: 4, failed: 0 })
    expect(await store.vectors.tokenBits.coverage()).toMatchObject({ done: 4, waiting: 0 })
    expect(await vectors(store)).toHaveLength(5)
  })

  it('what is no whole number of tokens is refused, and a damaged row is left out', async () => {
    const store = await tempStore()
    const ids = await seedChunks(store, seeds(2))
    await run(store, fakeEmbedder({ tokens: true }))
    const [first] = await rows(store)
    const wrong = store.write(async ({ vectors: { tokenBits, useConfig } }) => {
      await useConfig({ model: 'fake-words', dimensions: 32, pooling: 'mean-1', tokenizer: 'minilm-wordpiece', context: 'context-1' })
      await tokenBits.set(first?.number ?? 0, new Uint8Array(3))
    })
    await expect(wrong).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' })
    await store.write(({ db }) =>
      db
        .updateTable('token_bits')
        .set({ bits: Buffer.alloc(3) })
        .where('number', '=', first?.number ?? 0)
        .execute(),
    )
    expect((await store.vectors.tokenBits.of(ids, 32)).size).toBe(1)
  })
})
