/** `session_search` of the session-memory specification: session history only, each hit cited. */
import { given } from '../core/given.ts'
import { citation } from './memory-citation.ts'
import { linesOfResults, type Search } from './memory-search.ts'
import type { SearchAnswer, SearchFilters, SearchResult } from './result.ts'
import type { DocumentSource } from './text-document.ts'

export interface SessionSearchRequest {
  /** Fields are those of `SearchRequest`. */
  readonly query?: string
  readonly queries?: readonly string[]
  readonly prefer_project?: string
  readonly filters?: Omit<SearchFilters, 'sources' | 'ledger'>
  readonly limit?: number
  readonly by?: 'hit' | 'session' | 'history'
  readonly exact?: boolean
  readonly nearest?: boolean
  readonly signal?: AbortSignal
}

export interface SessionSearchAnswer extends Omit<SearchAnswer, 'results'> {
  readonly results: readonly SessionHit[]
}

export interface SessionHit extends SearchResult {
  readonly citation: string
  readonly match_line: number
}

export async function sessionSearch(search: Search, source: DocumentSource, request: SessionSearchRequest): Promise<SessionSearchAnswer> {
  const { query, queries, filters, limit, prefer_project, ...unknown } = request
  const answer = await search({
    ...unknown, // `search` rejects unknown keys by name
    ...given({ query, queries, prefer_project }),
    filters: { ...filters, sources: ['sessions'] },
    ...given({ limit }),
  })
  const lines = await linesOfResults(source, answer.results)
  const results = answer.results.map((result, i) => ({
    ...result,
    citation: result.kind === 'work' ? result.id : citation(result.path, lines[i]?.start ?? 1, lines[i]?.end ?? 1),
    match_line: lines[i]?.match ?? 1,
  }))
  return { ...answer, results }
}
