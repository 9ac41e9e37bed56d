import { expect, it } from 'vitest'
import { seedChunks } from '../../../../test/helpers/seed-chunks.ts'
import { tempStore } from '../../../../test/helpers/store.ts'
import type { Term } from '../../lexical.ts'
import { bounded, type Search } from './bound.ts'

const term = (word: string): Term => ({ words: [word] })
const words = (terms: readonly Term[] = []) => terms.map((one) => one.words[0])

/** Fakes a million chunks with these document counts. */
function asked(any: Record<string, number>, raise: Record<string, number> = {}) {
  const counts = { ...any, ...raise }
  const search = {
    prepare: () => ({ pluck: () => ({ get: () => 1_000_000 }) }),
    documents: (one: Term) => counts[one.words[0] as string] ?? 0,
    size: () => 1_000_000,
    query: { any: Object.keys(any).map(term), raise: Object.keys(raise).map(term) },
    ...{ filter: {}, limit: 10, stem: () => undefined },
  } as unknown as Search
  const { query, after, whole } = bounded(search)
  return { any: words(query.any), all: words(query.all), raise: words(query.raise), after, whole }
}

it('rare words are scored as they are, and what is in half of all chunks does not raise', () => {
  expect(asked({ rare: 300, less: 4000 }, { common: 90_000, everywhere: 800_000 })).toEqual({
    ...{ any: ['rare', 'less'], all: [], raise: ['common'], after: 0, whole: true },
  })
})

it('where the rarest word is in very many chunks, the next must stand beside it', () => {
  expect(asked({ first: 60_000 }, { second: 90_000, third: 200_000 })).toEqual({
    ...{ any: ['third'], all: ['first', 'second'], raise: ['third'], after: 0, whole: false },
  })
})

it('where that leaves very many still, or there is no other, the newest are scored', () => {
  const three = asked({ first: 400_000 }, { second: 420_000, third: 450_000 })
  expect(three.all).toEqual(['first', 'second', 'third'])
  expect(three.after).toBeCloseTo(1_000_000 * (1 - 16_000 / 75_600), -2)
  expect(asked({ everywhere: 900_000 }).after).toBeGreaterThan(980_000)
})

it('words that are looked up because the rare ones found too little are not scored one by one', () => {
  expect(asked({ rare: 3, common: 300_000 })).toEqual({ any: ['rare'], all: [], raise: ['common'], after: 0, whole: false })
})

it('the few that pass a filter are found, however many matches do not pass; as many as a search of them alone finds', async () => {
  const store = await tempStore()
  const ids = await seedChunks(
    store,
    Array.from({ length: 3300 }, (_, i) => ({
      user: i % 700 === 699 ? 'lantern lantern on a very long evening walk by the river' : 'lantern',
      ...{
        session: `s${i % 700 === 699 ? 'rare' : i % 5}`,
        project: i % 700 === 699 ? '/home/me/boat' : '/home/me/code',
        decision: i === 699,
      },
    })),
  )
  const BOAT = { keys: ['/home/me/boat'], folders: [], ids: [] }
  const rare = ids.filter((_, i) => i % 700 === 699)
  const found = async (filter: Parameters<typeof store.lexical.search>[1]) =>
    (await store.lexical.search({ any: [term('lantern')] }, filter, 10)).map(({ chunkId }) => chunkId)
  expect((await found({ project: BOAT })).sort((a, b) => a - b)).toEqual(rare)
  expect((await found({ sessionId: 'jsonl:srare' })).sort((a, b) => a - b)).toEqual(rare)
  expect(await found({ hasDecision: true })).toEqual([rare[0]])
  expect(await found({ project: BOAT, hasDecision: true })).toEqual([rare[0]])
  expect(await found({ project: { ...BOAT, keys: ['/nowhere'] } })).toEqual([])
})
