/** What a search answers. The JSON of `mnemonic search --json` is this, in snake_case: docs/json-output.md, pinned by a test. */
import type { Trust } from '../core/trust.ts'

export interface SearchRequest {
  readonly query: string
  readonly filters?: SearchFilters
  /** 1 to 200; 10 when absent. */
  readonly limit?: number
  readonly explain?: boolean
}

export interface SearchFilters {
  /** ISO date or time, or "3 days ago" style; inclusive. A bare date is midnight in the owner's zone. */
  readonly after?: string
  /** Exclusive. */
  readonly before?: string
  /** user, assistant, or a name. */
  readonly speaker?: string
  readonly project?: string
  /** Id, native id, label or unique prefix. */
  readonly session?: string
  readonly topics?: readonly string[]
  readonly has_decision?: boolean
  readonly ledger?: 'agents' | 'events'
  readonly sources?: readonly string[]
  /** Persona; `all` only at the command line. */
  readonly agent?: string
  readonly branches?: boolean
}

export interface SearchAnswer {
  readonly query: string
  /** `hybrid`, or `lexical` with the reason; and whose vectors answered. */
  readonly mode: { readonly requested: string; readonly realized: string; readonly model?: string }
  /** ISO; null when nothing was ever synced. */
  readonly last_sync: string | null
  readonly results: readonly SearchResult[]
}

export interface SearchResult {
  readonly session_id: string
  readonly turn_id: string
  readonly message_ids: readonly string[]
  readonly path: string
  readonly source: string
  /** Whose session it is: `claude-code`, `codex` …; null for what is no session. */
  readonly harness: string | null
  readonly ledger: string
  readonly timestamp: string
  readonly speakers: readonly string[]
  readonly session_title: string | null
  readonly project: string | null
  readonly topics: readonly string[]
  readonly has_decision: boolean
  readonly relevance_score: number
  readonly content: string
  /** How the question began, where it does not stand in `content`, and neighbouring text; not counted in message_ids. */
  readonly context: string
  readonly trust: Trust
  /** The words and parts that matched, for people. */
  readonly matched: readonly string[]
  /** With --explain: each part of the score. */
  readonly explain?: Readonly<Record<string, number>>
}
