/**
 * Tool work: what tool calls did, and every word of their parameters and results. Each call of the ledger has one row and its words in a
 * full-text index of its own, without its text: what is shown of a call is made from the ledger when it is shown. Work is no chunk: it has
 * no vector, and neither its rows nor the frequencies of its words reach the search in what was said.
 */
import type { ChunkFilter, Term } from './lexical.ts'

export type { Term } from './lexical.ts'

/** How much of a tool call is indexed: nothing, what it was called with, or its result too. */
export type ToolIndexing = 'off' | 'words' | 'all'

export type FileAction = 'read' | 'edit' | 'create' | 'delete'

/** As in a search of chunks: words are folded (case, accents) but not stemmed, a term of several words is a phrase. */
export interface WorkQuery {
  /** A call must hold each of these. */
  readonly all?: readonly Term[]
  /** A call holds at least one of these; where `all` is given they only raise the score. */
  readonly any: readonly Term[]
  /** Look only at what the call did (command, files, patterns, addresses, the lines of the result that matter), not at the rest of its text. */
  readonly didOnly?: boolean
}

/** Conditions on a call; all of them must hold. Applied before the cut, and to the total. */
export interface WorkFilter extends Pick<ChunkFilter, 'agentId' | 'after' | 'before' | 'project' | 'sessionId' | 'sources' | 'branches'> {
  /** A path, its last parts or its name, where `*` and `?` stand for characters of one name and `**` for any folders; case does not matter. */
  readonly file?: string
  /** Only where the call did one of these to a file (that `file` matches, where it is given). */
  readonly actions?: readonly FileAction[]
  /** Name of the tool as the harness calls it; case does not matter. */
  readonly tool?: string
  /** Words that stand next to each other in the command that the call ran. */
  readonly command?: string
  /** Only calls that failed, or whose result says that something did. */
  readonly errors?: boolean
}

export interface WorkHit {
  /** Of the call in the index; `calls` reads what is behind it. Another one after the index was rebuilt: not for a citation. */
  readonly id: number
  /** bm25, what the call did counting more than the rest of its text; positive, higher is better; 0 where the query is empty. */
  readonly score: number
}

export interface WorkFound {
  /** Best first; equal ones newest first. */
  readonly hits: readonly WorkHit[]
  /** How many calls match and pass the filter, hits included. */
  readonly total: number
  /** False where counting stopped at `total`: there are more. */
  readonly counted: boolean
}

export interface WorkCall {
  readonly id: number
  /** agent_tool_calls.id */
  readonly call_id: string
  readonly native_id: string
  readonly session_id: string
  readonly agent_id: string
  readonly turn_id: string | null
  /** Native ids of the message that made the call and of the one that holds its result. */
  readonly message_id: string | null
  readonly result_message_id: string | null
  readonly tool: string | null
  readonly status: string
  /** 1: the call failed, or its result says that something did. */
  readonly failed: number
  /** 1: on a branch that a later edit or fork left behind. */
  readonly superseded: number
  readonly timestamp: number
  /** RAW, from the ledger: to be redacted before anything of it leaves. Cut at `maxChars`, and then no JSON any more. */
  readonly params_json: string | null
  readonly result_json: string | null
}

/** What one session did to one file. */
export interface FileTouch {
  readonly path: string
  readonly session_id: string
  readonly agent_id: string
  /** How many calls read, edited, created, deleted it. */
  readonly read: number
  readonly edited: number
  readonly created: number
  readonly deleted: number
  readonly first_at: number
  readonly last_at: number
  /** The newest of the calls, for `calls`. */
  readonly last_id: number
}

/** A file that others changed after a session had last touched it. */
export interface ChangedFile {
  readonly path: string
  /** When the session last touched it. */
  readonly touched_at: number
  /** How many calls changed it since, and in how many sessions. */
  readonly changes: number
  readonly sessions: number
  readonly changed_at: number
  /** The newest of the calls, for `calls`. */
  readonly last_id: number
}

export interface Work {
  /** How much of each call is found. */
  readonly tools: ToolIndexing
  /** The best `limit` calls. A query without terms gives the newest calls that pass the filter. */
  search(query: WorkQuery, filter: WorkFilter, limit: number): Promise<WorkFound>
  /** Those of the calls that are still there, in the order of `ids`. `maxChars` (each of params and result): 2 Mi and a little when absent. */
  calls(ids: readonly number[], maxChars?: number): Promise<WorkCall[]>
  /** Who touched which files, the last touched first; `total` counts all pairs of path and session. */
  files(filter: WorkFilter, limit: number): Promise<{ readonly files: readonly FileTouch[]; readonly total: number }>
  /** Files that a session touched and others of the same agent changed after it last did; the last changed first. */
  changedSince(sessionId: string, limit: number): Promise<{ readonly files: readonly ChangedFile[]; readonly total: number }>
  /** How many calls hold the term, at most; 0 when none does. */
  documentFrequency(term: Term): Promise<number>
  /** How far indexing has come. Counts rows: not for every search. */
  coverage(): Promise<WorkCoverage>
}

export interface WorkCoverage {
  /** Calls that are indexed. */
  readonly calls: number
  /** Of these, calls of which only the first part is indexed. */
  readonly shortened: number
  /** Sessions whose calls are still to be looked at: some of them are not found yet. */
  readonly waiting_sessions: number
}
