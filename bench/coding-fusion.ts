/** Formulas that fuse phrasings, and the result of choosing one on other questions. */
import type { SearchResult } from 'agent-mnemonic'
import type { CodingQuestion } from './coding-data.ts'
import type { Found, Hits } from './coding-metrics.ts'
import { dist } from './retrieval-home.ts'

type Fuse = typeof import('../src/search/fuse.ts')

export const FORMULAS = ['summed scores', '2', '5', '10', '20', '30', '60'] as const
const FOLDS = 5

interface Lists {
  readonly question: CodingQuestion
  readonly lists: readonly (readonly SearchResult[])[]
}

export async function fusions(formula: (typeof FORMULAS)[number], all: readonly Lists[]): Promise<Hits[]> {
  const { fuse } = await dist<Fuse>('search/fuse.js')
  return all.map(({ question, lists }) => {
    const known = [...new Map(lists.flat().map((hit) => [keyOf(hit), hit])).values()]
    const numbers = new Map(known.map((hit, number) => [keyOf(hit), number]))
    const ranked = lists.map((list) =>
      list.map((hit) => ({ chunkId: numbers.get(keyOf(hit)) as number, group: '', score: hit.relevance_score, parts: {}, matched: [] })),
    )
    const order = formula === 'summed scores' ? summed(ranked) : fuse(ranked, Number(formula)).map(({ chunkId }) => chunkId)
    return { question, hits: order.map((number) => known[number] as SearchResult) }
  })
}

/** A long turn is several chunks. */
const keyOf = ({ id, content }: SearchResult) => `${id}\n${content}`

function summed(lists: readonly (readonly { readonly chunkId: number; readonly score: number }[])[]): number[] {
  const sums = new Map<number, number>()
  for (const { chunkId, score } of lists.flat()) sums.set(chunkId, (sums.get(chunkId) ?? 0) + score)
  return [...sums].toSorted((a, b) => b[1] - a[1]).map(([chunkId]) => chunkId)
}

/** Five-fold cross-validation; all formulas list the same questions in the same order. */
export function leftOut(formulas: readonly (readonly Found[])[]): Found[] {
  const chosen = Array.from({ length: FOLDS }, (_, fold) => {
    const value = (found: readonly Found[]) =>
      found.reduce((sum, { at5, at10, budget }, i) => sum + (i % FOLDS === fold ? 0 : at5 + at10 + budget), 0)
    return formulas.reduce((best, one) => (value(one) > value(best) ? one : best))
  })
  return (formulas[0] ?? []).map((_found, i) => chosen[i % FOLDS]?.[i] as Found)
}
