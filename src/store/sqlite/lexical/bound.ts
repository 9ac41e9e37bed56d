/** Bounds the cost of a query however common its words are. Pure except for counts. */
import type { ChunkFilter, LexicalQuery, Term } from '../../lexical.ts'
import type { Prepare } from '../statements.ts'
import type { Stemmer } from './stemmer.ts'

/** Scoring takes about four microseconds per match. */
const MOST_SCORED = 16_000
const MOST_RAISED = 3

export interface Search {
  readonly prepare: Prepare
  readonly stem: () => Stemmer
  readonly documents: (term: Term) => number
  readonly size: () => number
  readonly query: LexicalQuery
  readonly filter: ChunkFilter
  readonly limit: number
}

export interface Bounded {
  readonly query: LexicalQuery
  readonly after: number
  /** Whether the reduced query finds everything that the full one finds. */
  readonly whole: boolean
}

/**
 * FTS5 reads a word's whole list to weigh it. So words in half of all chunks do not raise. If even the rarest word is common, all words are
 * required, since chunks with all of them rank best anyway. If that still leaves too many, only the newest are scored.
 */
export function bounded({ prepare, query, documents, size }: Search): Bounded {
  const { any, all = [], raise = [] } = query
  const chunks = size()
  const counted = (terms: readonly Term[]) => terms.map((term) => ({ term, count: documents(term) })).sort((a, b) => a.count - b.count)
  const isUseful = ({ count }: { count: number }) => count <= MOST_SCORED || weightOf(count, chunks) > 0
  const raising = counted(raise).filter(isUseful)
  const finding = counted(any)
  const [rarest] = finding
  if (all.length > 0 || rarest === undefined) return { query, after: 0, whole: true }
  if (finding.reduce((sum, { count }) => sum + count, 0) <= MOST_SCORED) {
    return { query: { ...query, raise: raising.map(({ term }) => term) }, after: 0, whole: true }
  }
  const others = [...finding.slice(1), ...raising].filter(isUseful)
  if (rarest.count <= MOST_SCORED) {
    const found = [rarest, ...finding.slice(1).filter(({ count }) => count <= MOST_SCORED / finding.length)].map(({ term }) => term)
    const rest = others.map(({ term }) => term).filter((term) => !found.includes(term))
    return { query: { ...query, any: found, raise: rest.slice(0, MOST_RAISED) }, after: 0, whole: false }
  }
  const required = [rarest.term]
  let left = rarest.count
  for (const { term, count } of others) {
    if (left <= MOST_SCORED || required.length > MOST_RAISED) break
    required.push(term)
    left *= count / chunks
  }
  const rest = others.slice(required.length - 1, MOST_RAISED).map(({ term }) => term)
  const share = left <= 2 * MOST_SCORED ? 1 : MOST_SCORED / left
  const newest = prepare('select max(id) from index_chunks').pluck().get() as number
  return { query: { ...query, all: required, any: rest, raise: rest }, after: Math.floor(newest * (1 - share)), whole: false }
}

/** The idf of bm25; 0 for a word in half of all chunks. */
export function weightOf(documents: number, chunks: number): number {
  return Math.max(0, Math.log((chunks - documents + 0.5) / (documents + 0.5)))
}
