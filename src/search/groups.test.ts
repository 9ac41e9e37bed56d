import { expect, it } from 'vitest'
import type { Ranked } from './candidate.ts'
import { bestOfEach, groupsOf } from './groups.ts'
import type { SearchResult } from './result.ts'

const hit = (chunkId: number, group: string, matched: readonly string[]): Ranked => ({
  ...{ chunkId, group, matched, score: 1 / chunkId, parts: { coverage: 0.1 } },
})

const result = ({ group, matched }: Ranked): SearchResult =>
  ({ session_id: group, path: 'p', matched, session_title: group, project: null, harness: null, timestamp: '' }) as unknown as SearchResult

const ALL = [
  hit(1, 'a', ['lease', 'night', 'worker']),
  hit(2, 'a', ['lease', 'night']),
  hit(3, 'b', ['lease']),
  hit(4, 'a', ['lease']),
  hit(5, 'a', []),
]

it('the best hit of each session, in their order', () => {
  expect(bestOfEach(ALL, 2).map(({ chunkId }) => chunkId)).toEqual([1, 3])
  expect(bestOfEach(ALL, 1).map(({ chunkId }) => chunkId)).toEqual([1])
})

it('more counts what holds two thirds of the words of the best hit, not what is only near', () => {
  const shown = bestOfEach(ALL, 2)
  const groups = groupsOf(shown.map(result), { shown, all: ALL, work: [] })
  expect(groups.map(({ session_id, hits, more }) => ({ session_id, hits, more }))).toEqual([
    { session_id: 'a', hits: [0], more: 1 },
    { session_id: 'b', hits: [1], more: 0 },
  ])
})

it('a hit that several phrasings found counts once, with the words of all', () => {
  const shown = [hit(1, 'a', ['lease', 'night', 'worker'])]
  const found = [...shown, hit(2, 'a', ['lease']), hit(2, 'a', ['night'])]
  expect(groupsOf(shown.map(result), { shown, all: found, work: [] })[0]?.more).toBe(1)
})

it('without a question all that was listed counts', () => {
  const listed = [1, 2, 3].map((id) => ({ ...hit(id, 'a', []), parts: {} }))
  expect(groupsOf(listed.slice(0, 1).map(result), { shown: listed.slice(0, 1), all: listed, work: [] })[0]?.more).toBe(2)
})
