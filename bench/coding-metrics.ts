/** How many of the needed facts the hits of a question bring. */
import type { SearchResult } from 'agent-mnemonic'
import type { CodingQuestion } from './coding-data.ts'
import { dist } from './retrieval-home.ts'

type Tokens = typeof import('../src/core/tokens.ts')

const BUDGET = 2000

/** The share of needed facts found. */
export interface Found {
  readonly type: string
  readonly at5: number
  readonly at10: number
  /** Among the hits that fit into 2,000 tokens. */
  readonly budget: number
}

export interface Hits {
  readonly question: CodingQuestion
  readonly hits: readonly SearchResult[]
}

export async function foundBy(all: readonly Hits[]): Promise<Found[]> {
  const { countTokens } = await dist<Tokens>('core/tokens.js')
  return all.map(({ question: { type, facts }, hits }) => {
    const share = (some: readonly SearchResult[]) => facts.filter((fact) => isFound(fact, some)).length / facts.length
    return { type, at5: share(hits.slice(0, 5)), at10: share(hits.slice(0, 10)), budget: share(hits.slice(0, fitting(hits, countTokens))) }
  })
}

function isFound(fact: ReadonlySet<string>, hits: readonly SearchResult[]): boolean {
  return hits.some(({ message_ids }) => message_ids.some((id) => fact.has(id)))
}

/** How many of the first hits fit into the budget, taken in order until one does not. */
function fitting(hits: readonly SearchResult[], countTokens: (text: string) => number): number {
  let tokens = 0
  const over = hits.findIndex(({ content }) => {
    tokens += countTokens(content)
    return tokens > BUDGET
  })
  return over === -1 ? hits.length : over
}
