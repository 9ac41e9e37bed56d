/** `session_search`: the tool of the session-memory specification, over session history alone, each hit with a citation. Reads only. */
import { given } from '../core/given.ts'
import { citation } from './memory-citation.ts'
import { linesOfResults, type Search } from './memory-search.ts'
import type { SearchAnswer, SearchFilters, SearchResult } from './result.ts'
import type { DocumentSource } from './text-document.ts'

export interface SessionSearchRequest {
  /** May be left out where `queries` has one. */
  readonly query?: string
  /** Further phrasings of the same question. */
  readonly queries?: readonly string[]
  /** A folder: hits of its project come a little earlier. */
  readonly prefer_project?: string
  readonly filters?: Omit<SearchFilters, 'sources' | 'ledger'>
  /** 1 to 200. */
  readonly limit?: number
  /** As of `search`. */
  readonly by?: 'hit' | 'session' | 'history'
  /** The words as they are typed: no typing error is corrected, and a time alone is looked for as words. */
  readonly exact?: boolean
  /** As of `search`. */
  readonly nearest?: boolean
  /** Stops the search before its next phrasing. */
  readonly signal?: AbortSignal
}

export interface SessionSearchAnswer extends Omit<SearchAnswer, 'results'> {
  readonly results: readonly SessionHit[]
}

export interface SessionHit extends SearchResult {
  /** `path#L3-L9`: `memory_get` and `show` take it back. */
  readonly citation: string
  /** The line that answers best, in the document as `memory_get` gives it. */
  readonly match_line: number
}

export async function sessionSearch(search: Search, source: DocumentSource, request: SessionSearchRequest): Promise<SessionSearchAnswer> {
  const { query, queries, filters, limit, prefer_project, ...unknown } = request
  const answer = await search({
    ...unknown, // whatever else was given is refused there, by name
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
