import { expect, it } from 'vitest'
import { mostRelevant } from './most-relevant.ts'
import type { SearchGroup } from './result.ts'

const hit = (score: number, kind: 'speech' | 'work' = 'speech') => ({ kind, score })
const group = (...hits: number[]) => ({ hits, more: 1 }) as unknown as SearchGroup
const answer = (...scores: number[]) => ({
  matched: 'words' as const,
  groups: [] as SearchGroup[],
  results: scores.map((score) => hit(score)),
})
const scores = (cut: { readonly results: readonly { readonly score?: number }[] }) => cut.results.map(({ score }) => score)

it('ends where relevance falls to less than half of the best, behind the second', () => {
  expect(scores(mostRelevant(answer(0.9, 0.3, 0.2)))).toEqual([0.9, 0.3])
  expect(scores(mostRelevant(answer(0.8, 0.5, 0.4, 0.39)))).toEqual([0.8, 0.5, 0.4])
  expect(scores(mostRelevant(answer(...Array.from({ length: 10 }, () => 1))))).toHaveLength(6)
})

it('keeps tool calls, lists and histories', () => {
  const mixed = { ...answer(0.9, 0.8), results: [hit(0.9), hit(0.8), hit(0.1), hit(0, 'work')] }
  expect(scores(mostRelevant(mixed))).toEqual([0.9, 0.8, 0])
  const listed = { ...answer(0.9, 0.1, 0.1), matched: 'listed' as const }
  expect(mostRelevant(listed)).toBe(listed)
})

it('groups name the places of the hits that are left', () => {
  const results = [hit(0.9), hit(0.1), hit(0.1), hit(0, 'work')]
  const cut = mostRelevant({ ...answer(), results, groups: [group(0, 2), group(1, 3), group(2)] })
  expect(cut.groups).toEqual([
    { hits: [0], more: 2 },
    { hits: [1, 2], more: 1 },
  ])
})
