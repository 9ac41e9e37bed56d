import type { SearchResult } from 'agent-mnemonic'
import type { CodingQuestion } from './coding-data.ts'
import { dist } from './retrieval-home.ts'

type Tokens = typeof import('../src/core/tokens.ts')

const BUDGET = 2000

export interface Found {
  readonly type: string
  readonly at5: number
  readonly at10: number
  /** Within 2,000 tokens. */
  readonly budget: number
}

export interface Hits {
  readonly question: CodingQuestion
  readonly hits: readonly SearchResult[]
}

/** By its messages, with its length. */
export interface Shown {
  readonly ids: readonly string[]
  readonly tokens: number
}

export async function foundBy(all: readonly Hits[]): Promise<Found[]> {
  const { countTokens } = await dist<Tokens>('core/tokens.js')
  return all.map(({ question: { type, facts }, hits }) => ({
    ...{
      type,
      ...foundIn(
        facts,
        hits.map(({ message_ids, content }) => ({ ids: message_ids, tokens: countTokens(content) })),
      ),
    },
  }))
}

/** `gain` is for fitting only: it changes with every step, where the shares jump. */
export function foundIn(facts: CodingQuestion['facts'], hits: readonly Shown[]): Omit<Found, 'type'> & { readonly gain: number } {
  const ranks = facts.map((fact) => hits.findIndex(({ ids }) => ids.some((id) => fact.has(id)))).filter((rank) => rank !== -1)
  const share = (most: number) => ranks.filter((rank) => rank < most).length / facts.length
  const worth = (rank: number) => 1 / Math.log2(2 + rank)
  const ideal = facts.reduce((sum, _fact, rank) => sum + worth(rank), 0)
  // One hit may hold several facts.
  const gain = Math.min(1, ranks.reduce((sum, rank) => sum + worth(rank), 0) / ideal)
  return { at5: share(5), at10: share(10), budget: share(fitting(hits)), gain }
}

/** In order, up to the first that does not fit. */
function fitting(hits: readonly Shown[]): number {
  let sum = 0
  const over = hits.findIndex(({ tokens }) => {
    sum += tokens
    return sum > BUDGET
  })
  return over === -1 ? hits.length : over
}
