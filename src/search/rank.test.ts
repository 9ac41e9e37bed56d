import { describe, expect, it } from 'vitest'
import type { Plan, PlannedTerm } from './plan.ts'
import { type Candidate, type Ranking, rank, WEIGHTS } from './rank.ts'

const term = (text: string, more: Partial<PlannedTerm> = {}): PlannedTerm => ({
  term: { words: [text] },
  text,
  position: 0,
  kind: 'word',
  frequency: 1,
  weight: 1,
  ...more,
})
const plan = (more: Partial<Plan> = {}): Plan => ({
  all: [],
  any: [term('alpha'), term('beta')],
  common: [],
  pairs: [],
  person: undefined,
  empty: false,
  notes: {},
  ...more,
})
const candidate = (chunkId: number, more: Partial<Candidate> = {}): Candidate => ({
  chunkId,
  bm25: 1,
  said: 0,
  group: `session ${chunkId}`,
  chunkIndex: 0,
  timestamp: 0,
  contentHash: `hash ${chunkId}`,
  ...more,
})
const order = (ranking: Partial<Ranking>) =>
  rank({ plan: plan(), candidates: [], held: [], pairsHeld: [], ...ranking }).map(({ chunkId }) => chunkId)

describe('the order', () => {
  it('of nothing is nothing', () => {
    expect(order({})).toEqual([])
  })

  it('puts the chunk with more of the query’s worth first, where the engine sees no difference', () => {
    const terms = plan({ any: [term('common', { weight: 0.1 }), term('rare', { weight: 5 })] })
    expect(order({ plan: terms, candidates: [candidate(1), candidate(2)], held: [new Set([1]), new Set([2])] })).toEqual([2, 1])
  })

  it('raises a chunk whose neighbour was found too', () => {
    const candidates = [
      candidate(1),
      candidate(2, { group: 's', chunkIndex: 4 }),
      candidate(3, { group: 's', chunkIndex: 5 }),
      candidate(4),
    ]
    expect(order({ candidates }).slice(0, 2).toSorted()).toEqual([2, 3])
  })

  it('raises a chunk whose session was found often, though not beside it', () => {
    const candidates = [1, 2, 3, 4].map((id) => candidate(id, id > 1 ? { group: 's', chunkIndex: id * 10 } : {}))
    expect(order({ candidates }).at(-1)).toBe(1)
  })

  it('raises exact tokens and words that stand side by side', () => {
    const exact = plan({ any: [term('E0382', { kind: 'exact' }), term('beta')] })
    expect(order({ plan: exact, candidates: [candidate(1), candidate(2)], held: [new Set([2]), new Set([1])] })).toEqual([2, 1])
    const candidates = [candidate(1), candidate(2)]
    expect(order({ plan: plan({ pairs: [{ words: ['a', 'b'] }] }), candidates, pairsHeld: [new Set([2])] })).toEqual([2, 1])
  })

  it('prefers the newer of equals, and never a newer one that matches less', () => {
    expect(order({ candidates: [candidate(1, { timestamp: 1 }), candidate(2, { timestamp: 9 })] })).toEqual([2, 1])
    expect(order({ candidates: [candidate(1, { bm25: 1 }), candidate(2, { bm25: 0.9, timestamp: 9 })] })).toEqual([1, 2])
  })

  it('of full ties is that of the chunk ids', () => {
    expect(order({ candidates: [candidate(3), candidate(1), candidate(2)] })).toEqual([1, 2, 3])
  })

  it('puts what the person said first, whatever else speaks for the others', () => {
    const candidates = [
      candidate(1, { bm25: 9, timestamp: 9 }),
      candidate(2, { bm25: 0.1, said: 0.01 }),
      candidate(3, { bm25: 0.2, said: 5 }),
    ]
    const held = [new Set([1]), new Set([1])]
    expect(order({ plan: plan({ person: { role: 'user' } }), candidates, held })).toEqual([3, 2, 1])
  })

  it('keeps the best of several chunks with one content', () => {
    const candidates = [
      candidate(1, { contentHash: 'same', bm25: 0.5 }),
      candidate(2, { contentHash: 'same' }),
      candidate(3, { bm25: 0.1 }),
    ]
    expect(order({ candidates })).toEqual([2, 3])
  })
})

it('weights add up to one but for the tie-break, so that a score is a share', () => {
  const { recency, ...others } = WEIGHTS
  expect(Object.values(others).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6)
  expect(recency).toBeLessThan(0.01)
})

it('a part of an identifier is shown only where the whole was not found', () => {
  const any = [term('getUserName', { kind: 'exact' }), term('user', { kind: 'part' })]
  const shown = (held: Set<number>[]) => rank({ plan: plan({ any }), candidates: [candidate(1)], held, pairsHeld: [] })[0]?.matched
  expect(shown([new Set([1]), new Set([1])])).toEqual(['getUserName'])
  expect(shown([new Set(), new Set([1])])).toEqual(['user'])
})
