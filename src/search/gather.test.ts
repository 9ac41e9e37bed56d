import { describe, expect, it } from 'vitest'
import { type SeedChunk, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Term } from '../store/lexical.ts'
import type { SearchRequest } from './result.ts'
import { searcher } from './search.ts'

/** A small index that reports the word counts of a large one. */
async function counting(frequency: Readonly<Record<string, number>>, seeds: readonly SeedChunk[]) {
  const store = await tempStore()
  await seedChunks(store, seeds)
  const lexical = {
    ...store.lexical,
    size: async () => 1_000_000,
    documentFrequency: async ({ words: [word = ''] }: Term) => frequency[word] ?? 0,
  }
  const made = searcher({ store: { ...store, lexical }, clock: () => NOON, owner: { name: undefined, timezone: 'UTC' }, agentId: 'main' })
  return async (query: string, rest: Omit<SearchRequest, 'query'> = {}) => {
    const { results } = await made.search({ query, ...rest })
    await made.flush()
    return results.map(({ content }) => content)
  }
}

describe('a word that is in very many chunks', () => {
  const frequency = { plan: 100_000, people: 200_000, music: 300_000, fortnight: 900 }

  it('is not looked up by itself, but decides which chunks of a common word are found', async () => {
    const search = await counting(frequency, [
      // More than are fetched; each scores better by the first word alone.
      ...Array.from({ length: 400 }, (_, i) => ({ user: `plan plan ${'abcdefghij'[i % 10]}${i}`, session: `s-${i}` })),
      { user: 'what people thought of the plan for live music in the old hall by the river, in many more words than the others have' },
    ])
    expect((await search('plan people music', { limit: 5 }))[0]).toContain('old hall')
  })

  it('is looked up where the others find too few in what a filter leaves', async () => {
    const search = await counting(frequency, [
      ...Array.from({ length: 30 }, (_, i) => ({ user: `fortnight ${i}`, session: 'elsewhere', project: '/code/elsewhere' })),
      { user: 'some people came', session: 'here', project: '/code/here' },
      { user: 'people again', session: 'here', project: '/code/here' },
    ])
    expect(await search('fortnight people', { limit: 10, filters: { project: 'here' } })).toHaveLength(2)
    expect(await search('fortnight people', { limit: 10 })).toHaveLength(10)
  })
})
