import { describe, expect, it } from 'vitest'
import type { Candidate, Ranking } from './candidate.ts'
import type { Intent } from './intent.ts'
import type { Plan, PlannedTerm } from './plan.ts'
import { rank, WEIGHTS } from './rank.ts'

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
  absent: 0,
  person: undefined,
  empty: false,
  notes: {},
  ...more,
})
const intent = (more: Partial<Intent> = {}): Intent => ({
  mentioned: undefined,
  meaning: '',
  vectorWeight: 1,
  times: [],
  newest: false,
  ...more,
})
const candidate = (chunkId: number, more: Partial<Candidate> = {}): Candidate => ({
  chunkId,
  bm25: 1,
  said: 0,
  speaks: false,
  group: `session ${chunkId}`,
  chunkIndex: 0,
  timestamp: 0,
  tokens: 100,
  contentHash: `hash ${chunkId}`,
  ...more,
})
/** By default each candidate holds every word. */
const order = ({ candidates = [], ...more }: Partial<Ranking>) => {
  const held = (more.plan ?? plan()).any.map(() => new Set(candidates.map(({ chunkId }) => chunkId)))
  return rank({ plan: plan(), intent: intent(), candidates, held, pairsHeld: [], ...more }).map(({ chunkId }) => chunkId)
}

describe('the order', () => {
  it('finds what has no vector yet by its words: all of them bring it before what is only near', () => {
    const near = [1, 2, 3].map((id) => candidate(id, { similarity: 0.9 - id / 10 }))
    const fresh = candidate(9)
    const found = { candidates: [...near, fresh], held: [new Set([9, 1]), new Set([9])] }
    expect(order(found)[0]).toBe(9)
    // Without a matched word it gets the middle.
    expect(order({ ...found, held: [new Set([1, 2, 3]), new Set([1])] })[0]).toBe(1)
  })

  it('of nothing is nothing', () => {
    expect(order({})).toEqual([])
  })

  it('puts the chunk with more of the query’s worth first, where the engine sees no difference', () => {
    const terms = plan({ any: [term('common', { weight: 0.1 }), term('rare', { weight: 5 })] })
    expect(order({ plan: terms, candidates: [candidate(1), candidate(2)], held: [new Set([1]), new Set([2])] })).toEqual([2, 1])
  })

  it('gives less for the best score by words where even that chunk holds little of what is asked', () => {
    const words = ['chance', 'beta', 'gamma', 'delta', 'epsilon'].map((text) => term(text))
    const candidates = [candidate(1, { bm25: 5, similarity: 0.35 }), candidate(2, { bm25: 0, similarity: 0.45 })]
    const held = [new Set([1]), new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>()]
    expect(order({ plan: plan({ any: words }), candidates, held })).toEqual([2, 1])
    expect(order({ plan: plan({ any: words.slice(0, 1) }), candidates, held })).toEqual([1, 2])
  })

  it('raises the end of an episode whose next one was found too, and by its own episode alone what is in the middle of another', () => {
    const unit = (name: string) => ({ unit: name, group: 'a chat' })
    const after = { after: { unit: 'second', chunkIndex: 0 } }
    const candidates = [
      candidate(1, { group: 'alone', bm25: 0.5 }),
      candidate(2, { ...unit('first'), chunkIndex: 3, bm25: 0.5, beside: after }),
      candidate(3, { ...unit('second'), bm25: 0.6 }),
    ]
    const parts = (chunkId: number) =>
      rank({ plan: plan(), intent: intent(), candidates, held: plan().any.map(() => new Set([1, 2, 3])), pairsHeld: [] }).find(
        (hit) => hit.chunkId === chunkId,
      )?.parts
    expect(parts(2)?.neighbours).toBeGreaterThan(0)
    expect(parts(1)?.neighbours ?? 0).toBe(0)
    // The chat's best chunk lends to other episodes only as a neighbour.
    expect(parts(2)?.session).toBe(parts(1)?.session)
  })

  it('puts the meeting that is nearest to now first, where all else is equal', () => {
    const now = 1000
    const candidates = [candidate(1, { timestamp: 1900 }), candidate(2, { timestamp: 1100 }), candidate(3, { timestamp: 500 })]
    expect(order({ intent: intent({ now }), candidates })).toEqual([2, 3, 1])
  })

  it('raises a chunk whose neighbour was found too', () => {
    const candidates = [
      candidate(1),
      candidate(2, { group: 's', chunkIndex: 4 }),
      candidate(3, { group: 's', chunkIndex: 5 }),
      candidate(4),
    ]
    expect([2, 3]).toContain(order({ candidates })[0])
  })

  it('brings another turn of a session before more of a turn that is shown already', () => {
    const of = (turn: string, index: number) => ({ group: 'one session', turn, chunkIndex: index })
    const candidates = [
      candidate(1, { bm25: 5, ...of('first', 0) }),
      candidate(2, { bm25: 4, ...of('first', 3) }),
      candidate(3, { bm25: 3, ...of('second', 6) }),
    ]
    expect(order({ candidates })).toEqual([1, 3, 2])
    // Chunks without a turn do not share one.
    expect(order({ candidates: candidates.map((one) => ({ ...one, turn: undefined })) })).toEqual([1, 2, 3])
  })

  it('lends a chunk a share of what the best one of its session has', () => {
    const candidates = [
      candidate(1, { bm25: 0.3 }),
      candidate(2, { bm25: 1, group: 's', chunkIndex: 10 }),
      candidate(3, { bm25: 0.25, group: 's', chunkIndex: 50 }),
    ]
    expect(order({ candidates })).toEqual([2, 3, 1])
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

it('the tie-break is smaller than anything else', () => {
  const { recency, tokens: _tokens, ...others } = WEIGHTS
  expect(Math.min(...Object.values(others))).toBeGreaterThan(10 * recency)
})

it('holds for any number of candidates', () => {
  const many = Array.from({ length: 150_000 }, (_, i) => candidate(i, { similarity: i / 150_000 }))
  const ranked = rank({ plan: plan(), intent: intent(), candidates: many, held: [new Set(), new Set()], pairsHeld: [] })
  expect(ranked[0]?.chunkId).toBe(149_999)
})
