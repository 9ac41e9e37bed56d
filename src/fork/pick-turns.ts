import { given } from '../core/given.ts'
import type { SearchAnswer, SearchRequest, SearchResult } from '../search/result.ts'
import type { ForkRequest } from './fork-context.ts'

export type Search = (request: SearchRequest) => Promise<SearchAnswer>

export interface FoundTurn {
  readonly id: string
  readonly sessionId: string
  /** Ledger ids, best first. */
  readonly messages: readonly string[]
  readonly matched: readonly string[]
  readonly length: number
}

/** Several hits may share a turn. */
const HITS_A_TURN = 4
const MOST_HITS = 200

export async function pickTurns(search: Search, request: ForkRequest, turns: number): Promise<FoundTurn[]> {
  const { query, also, session, agent } = request
  const { results } = await search({
    query,
    ...given({ queries: also?.length ? also : undefined }),
    filters: { ledger: 'agents', ...given({ session, agent }) },
    limit: Math.min(MOST_HITS, turns * HITS_A_TURN),
  })
  const found = new Map<string, SearchResult[]>()
  for (const hit of results) {
    if (hit.turn_id === '' || hit.session_id === '') continue
    const known = found.get(hit.turn_id)
    if (known === undefined) found.set(hit.turn_id, [hit])
    else known.push(hit)
  }
  return [...found].map(([id, hits]) => ({
    id,
    sessionId: (hits[0] as SearchResult).session_id,
    messages: [...new Set(hits.flatMap(({ session_id, message_ids }) => message_ids.map((native) => `${session_id}/${native}`)))],
    matched: [...new Set(hits.flatMap(({ matched }) => matched))],
    length: hits.reduce((sum, { content }) => sum + content.length, 0),
  }))
}
