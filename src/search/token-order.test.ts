import { expect, it } from 'vitest'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { SEED_TIME, type SeedChunk, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import { embedChunks } from '../embed/embed-chunks.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { type SearcherOptions, searcher } from './search.ts'

const QUESTION = 'where does the harbour crane stand'
const embedder = fakeEmbedder({ tokens: true })

/** A long one that holds every word of the question, and shorter ones. */
const seeds: SeedChunk[] = [
  ...['garden tomatoes', 'bread flour oven', 'harbour fog'].map((words) => ({ session: words, user: words })),
  {
    session: 'long',
    user: `where does the harbour crane stand ${Array.from({ length: 60 }, (_, i) => `filler${i}`).join(' ')}`,
  },
  { session: 'crane', user: 'crane birds' },
].map((seed, i) => ({ ...seed, assistant: `so it is ${i}`, at: SEED_TIME + i * 60_000 }))

async function embed(store: Store, tokenBits = true): Promise<void> {
  const clock = () => NOON
  await withLease(store, { name: 'embed', clock, ttlMs: 60_000, waitMs: 0 }, (lease) =>
    embedChunks({ store, embedder, clock, lease, batchSize: 4, tokenBits }),
  )
}

async function over(tokenBits = true) {
  const store = await tempStore()
  await seedChunks(store, seeds)
  await embed(store, tokenBits)
  return store
}

function search(store: Store, more: Partial<SearcherOptions> = {}) {
  let asked = 0
  const made = searcher({
    ...{ store, clock: () => NOON, owner: { name: 'Jason Wu', timezone: 'UTC' }, agentId: 'main', counts: false },
    embedQueries: (texts) => embedder.embed(texts),
    async embedQuestion(text) {
      asked++
      const [one] = (await embedder.tokens?.states([text])) ?? []
      return one && { vector: one.vector, tokens: { pieces: one.pieces, states: one.states } }
    },
    ...more,
  })
  return { asked: () => asked, ask: made.search }
}

it('a question that comes alone is answered with a part for its tokens, and in the same order after all was embedded anew', async () => {
  const store = await over()
  const { ask, asked } = search(store)
  const { results, mode } = await ask({ query: QUESTION, limit: 5, explain: true })
  expect(asked()).toBe(1)
  expect(mode.realized).toBe('hybrid')
  expect(results[0]?.content).toContain('filler0')
  expect(results.every(({ explain }) => typeof explain?.tokens === 'number')).toBe(true)
  expect(results[0]?.explain?.tokens).toBeGreaterThan(results[1]?.explain?.tokens ?? 1)
  await embed(store, false)
  await embed(store)
  const again = await search(store).ask({ query: QUESTION, limit: 5, explain: true })
  expect(again.results).toEqual(results)
})

it.each([
  ['with phrasings', { queries: ['crane at the harbour'] }],
  ['with a quoted phrase', { query: '"harbour crane" stand' }],
])('%s nothing of it changes', async (_name, more) => {
  const [with_, without] = [await over(), await over(false)]
  const request = { query: QUESTION, limit: 5, explain: true, ...more }
  const [one, other] = [await search(with_).ask(request), await search(without).ask(request)]
  expect(one.results.map(({ content, explain }) => [content, explain])).toEqual(
    other.results.map(({ content, explain }) => [content, explain]),
  )
  expect(one.results.some(({ explain }) => explain?.tokens !== undefined)).toBe(false)
})

it('where nothing has bits the model is not asked for its tokens', async () => {
  const { ask, asked } = search(await over(false))
  expect((await ask({ query: QUESTION })).mode.realized).toBe('hybrid')
  expect(asked()).toBe(0)
})

it('where most have none the order stays as it was; where some have none they are placed by their vectors', async () => {
  const [few, most, none] = [await over(), await over(), await over(false)]
  const drop = (store: Store, count: number) =>
    store.write(({ db }) => db.updateTable('token_bits').set({ size: null, bits: null }).where('number', '<=', count).execute())
  await drop(few, 4)
  await drop(most, 1)
  const answer = async (store: Store) =>
    (await search(store).ask({ query: QUESTION, limit: 5, explain: true })).results.map(({ content, explain }) => [content, explain])
  expect(await answer(few)).toEqual(await answer(none))
  const { results } = await search(most).ask({ query: QUESTION, limit: 5, explain: true })
  expect(results).toHaveLength(5)
  expect(results.every(({ explain }) => typeof explain?.tokens === 'number')).toBe(true)
})

it('documents keep their places among the hits of sessions', async () => {
  const store = await over()
  await store.write(async ({ db }) => {
    // As for a document without a session.
    await db.updateTable('index_chunks').set({ session: null }).where('id', '=', 1).execute()
  })
  const before = await search(store, { embedQuestion: undefined }).ask({ query: `${QUESTION} tomatoes`, limit: 5 })
  const after = await search(store).ask({ query: `${QUESTION} tomatoes`, limit: 5, explain: true })
  const place = (results: readonly { readonly content: string }[]) => results.findIndex(({ content }) => content.includes('tomatoes'))
  expect(place(after.results)).toBe(place(before.results))
  expect(after.results[place(after.results)]?.explain?.tokens).toBeUndefined()
})
