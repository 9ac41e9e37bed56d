import { describe, expect, it } from 'vitest'
import { type SeedChunk, seedChunks } from '../../test/helpers/seed-chunks.ts'
import { assignVectors, seedVectors } from '../../test/helpers/seed-vectors.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { SearchRequest } from './result.ts'
import { searcher } from './search.ts'

const SEEDS: SeedChunk[] = [
  { user: 'The kubernetes cluster lost its certificate', session: 's-cluster', topics: ['operations'] },
  { user: 'Jason: the harbour master wants lanterns', session: 's-harbour', speakers: ['Jason'], people: { Jason: 'user' } },
  { user: 'Tomatoes need sun in the garden', session: 's-garden', topics: ['garden'] },
  { user: 'We painted the boat red', session: 's-boat', topics: ['boats'] },
]

async function over(seeds: readonly SeedChunk[] = SEEDS, vectors = false) {
  const store = await tempStore()
  const ids = await seedChunks(store, seeds)
  const made = seedVectors(ids.length)
  const calls: (readonly string[])[] = []
  if (vectors)
    await assignVectors(
      store,
      ids.map((id, i) => [id, made[i] as Float32Array]),
    )
  const embedQueries = async (texts: readonly string[]) => {
    calls.push(texts)
    return texts.map(() => made[2] as Float32Array)
  }
  const one = searcher({
    store,
    clock: () => NOON,
    owner: { name: undefined, timezone: 'UTC' },
    agentId: 'main',
    ...(vectors ? { embedQueries } : {}),
  })
  const search = async (request: SearchRequest) => {
    const answer = await one.search(request)
    await one.flush()
    return answer
  }
  return { search, calls, ids }
}

describe('several phrasings', () => {
  it('are embedded in one call, the same text once, and each is searched', async () => {
    const { search, calls } = await over(SEEDS, true)
    const { results, queries } = await search({ query: 'certificate', queries: ['lanterns', ' certificate '] })
    expect(calls).toEqual([['certificate', 'lanterns']])
    expect(queries).toEqual(['certificate', 'lanterns'])
    const found = results.map(({ content }) => content).join('\n')
    for (const word of queries) expect(found).toContain(word)
  })

  it('say with --explain who found what, and at which rank', async () => {
    const { search } = await over()
    const { results, phrasings } = await search({ query: 'certificate', queries: ['garden', 'cluster certificate'], explain: true })
    expect(results.map(({ found_by, found_at }) => [found_by, found_at])).toEqual([
      [
        [0, 2],
        [1, 1],
      ],
      [[1], [1]],
    ])
    expect(phrasings).toEqual([
      { query: 'certificate', found: 1, hits: 1, only: 0 },
      { query: 'garden', found: 1, hits: 1, only: 1 },
      { query: 'cluster certificate', found: 1, hits: 1, only: 0 },
    ])
    expect(await search({ query: 'certificate', queries: ['garden'] })).not.toHaveProperty('phrasings')
  })

  it('a phrase in quotes and a person limit their own list alone; filters hold for all', async () => {
    const { search } = await over()
    const contents = async (request: SearchRequest) => (await search(request)).results.map(({ content }) => content.slice(-6)).sort()
    expect(await contents({ query: '"no such phrase"', queries: ['garden'] })).toEqual(['garden'])
    expect(await contents({ query: 'what did Jason say about lanterns', queries: ['boat red'] })).toEqual(['at red', 'nterns'])
    expect(await contents({ query: 'garden', queries: ['boat'], filters: { session: 's-boat' } })).toEqual(['at red'])
  })
})

describe('typing errors', () => {
  it('are corrected where a word stands nowhere, and the answer says so', async () => {
    const { search, calls } = await over(SEEDS, true)
    const answer = await search({ query: 'Kuberentes certificate?' })
    expect(answer.corrections).toEqual([{ typed: 'Kuberentes', used: 'Kubernetes' }])
    expect(answer.query).toBe('Kuberentes certificate?')
    expect(answer.results.flatMap(({ matched }) => matched)).toContain('Kubernetes')
    expect(calls).toEqual([['Kubernetes certificate?']]) // the corrected text is embedded
  })

  it('are left alone in quotes, with exact, in codes, paths and short words, and where the word is the beginning of another', async () => {
    const { search } = await over()
    for (const query of ['"kuberentes"', 'KUBERENTES', 'kuberentes1', 'src/kuberentes', 'kuberentes.ts', 'sno', 'certif', 'boat']) {
      expect((await search({ query })).corrections, query).toEqual([])
    }
    expect((await search({ query: 'kuberentes', exact: true })).results).toEqual([])
    expect((await search({ query: 'kuberentes' })).results).toHaveLength(1)
  })

  it('are not seen in a word that English has, though nobody said it', async () => {
    const { search } = await over([...SEEDS, { user: 'We went back home to plan the release with the masters' }])
    for (const query of ['black hole', 'planet', 'hamsters', 'Brainstorming', 'coat'])
      expect((await search({ query })).corrections, query).toEqual([])
    expect((await search({ query: 'relaese' })).corrections).toEqual([{ typed: 'relaese', used: 'release' }])
  })

  it('are a letter that was left out rather than a wrong one', async () => {
    const more = ['Please find the lantern', 'Find the master key', 'Find the list', 'It was fixed by a new fuse', 'Fix the fuse'].map(
      (user) => ({ user }),
    )
    const { search } = await over([...SEEDS, ...more])
    expect((await search({ query: 'fixd' })).corrections).toEqual([{ typed: 'fixd', used: 'fixed' }])
  })

  it('in a name find the person', async () => {
    const { search } = await over()
    const { corrections, results } = await search({ query: 'what did Jasno say about lanterns' })
    expect(corrections).toEqual([{ typed: 'Jasno', used: 'Jason' }])
    expect(results[0]?.content).toContain('harbour master')
  })
})

describe('an answer says what it rests on', () => {
  it('words, meaning, a list, or nothing', async () => {
    const { search } = await over(SEEDS, true)
    expect((await search({ query: 'tomatoes' })).matched).toBe('words')
    expect((await search({ query: 'xyzzy frobnicate', nearest: true })).matched).toBe('meaning')
    expect((await search({ query: '', filters: { session: 's-boat' } })).matched).toBe('listed')
    expect((await search({ query: '"no such phrase"' })).matched).toBe('none')
    const words = await over()
    expect((await words.search({ query: 'xyzzy frobnicate' })).matched).toBe('none')
    const filler = await words.search({ query: 'what is the' })
    expect(filler.matched).toBe('none')
    for (const hit of filler.results) expect(hit).toMatchObject({ matched: [], relevance_score: 0 })
  })

  it('nothing where no word occurs or the search is exact, and why, unless what is near in meaning is asked for', async () => {
    const { search } = await over(SEEDS, true)
    const empty = async (request: SearchRequest) => {
      const { results, groups, left_out } = await search(request)
      return { hits: results.length + groups.length, ...left_out }
    }
    const NO_WORD = { hits: 0, reason: 'no_word', nearest: true, text: 'no word of it occurs' }
    const EXACT = { hits: 0, reason: 'exact', nearest: true, text: 'what was asked for exactly occurs nowhere' }
    expect(await empty({ query: 'xyzzy frobnicate' })).toEqual(NO_WORD)
    expect(await empty({ query: 'tomatoes', filters: { session: 's-boat' } })).toEqual(NO_WORD)
    expect(await empty({ query: 'xyzzy', queries: ['frobnicate'] })).toEqual(NO_WORD)
    expect(await empty({ query: '"no such phrase"' })).toEqual(EXACT)
    expect(await empty({ query: 'kuberentes', exact: true })).toEqual(EXACT)
    expect(await empty({ query: 'ERR_GARDEN_402' })).toEqual({ ...EXACT, nearest: false })
    for (const request of [{ query: 'xyzzy frobnicate' }, { query: '"no such phrase"' }, { query: 'kuberentes', exact: true }])
      expect((await search({ ...request, nearest: true })).results.length, request.query).toBeGreaterThan(1)
    // One matching word keeps hits by meaning: the question may be paraphrased.
    const some = await search({ query: 'xyzzy tomatoes' })
    expect([some.results.length > 1, some.left_out]).toEqual([true, undefined])
    expect((await search({ query: 'xyzzy frobnicate', queries: ['tomatoes'] })).results.length).toBeGreaterThan(1)
    expect((await search({ query: 'tomatoes', exact: true })).results).toHaveLength(1)
    const codes = await over([{ user: 'checkout fails with ERR_PAYMENT_402' }, { user: 'payment terms' }])
    expect((await codes.search({ query: 'ERR_PAYMENT_402' })).results[0]?.content).toContain('ERR_PAYMENT_402')
    expect((await codes.search({ query: 'ERR_PAYMENT_777' })).results).toEqual([])
  })

  it('and scores by how much of the question was found, words that stand nowhere included', async () => {
    const { search } = await over()
    const score = async (query: string) => (await search({ query })).results[0]?.relevance_score
    expect(await score('tomatoes sun')).toBe(1)
    expect(await score('tomatoes xyzzy frobnicate quuxly')).toBeLessThan(0.35)
    const { results } = await search({ query: 'tomatoes sun kubernetes boat lanterns' })
    const scores = results.map(({ relevance_score }) => relevance_score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
})

describe('a filter value that exists nowhere', () => {
  it.each([
    [{ agent: 'nobody' }, /no agent is called "nobody"/, /^There are: main\.$/],
    [{ sources: ['nowhere'] }, /no source is called "nowhere"/, /jsonl/],
  ])('%j is refused, with what exists', async (filters, message, hint) => {
    const { search } = await over()
    await expect(search({ query: 'boat', filters })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    })
  })

  it.each([
    [{ speaker: 'Jasno' }, /^no speaker is called "Jasno"\. There are: Jason, /],
    [{ topics: ['gardn'] }, /^no topic is called "gardn"\. There are: garden, /],
  ])('%j gives nothing, and says what exists', async (filters, hint) => {
    const { search } = await over()
    expect(await search({ query: 'boat', filters })).toMatchObject({ results: [], hint: expect.stringMatching(hint) })
  })

  it('lists ten of many', async () => {
    const { search } = await over(Array.from({ length: 41 }, (_, i) => ({ user: `word ${i}`, topics: [`topic-${i}`] })))
    expect((await search({ query: 'word', filters: { topics: ['other'] } })).hint).toMatch(/ … and 31 more\.$/)
  })

  it('is no error where there is nothing at all, and where the value exists but the words do not', async () => {
    const empty = await over([])
    expect((await empty.search({ query: 'x', filters: { speaker: 'Bob', topics: ['x'], agent: 'nobody' } })).results).toEqual([])
    const { search } = await over()
    expect((await search({ query: 'tomatoes', filters: { speaker: 'Jason', topics: ['boats'] } })).results).toEqual([])
  })
})
