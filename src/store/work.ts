/**
 * Each call has one row and its words in a separate full-text index that stores no text; results are read from the ledger. Calls have no
 * vectors and never affect search in speech.
 */
import type { ChunkFilter, Term } from './lexical.ts'

export type { Term } from './lexical.ts'

/** Nothing, parameters only, or also results. */
export type ToolIndexing = 'off' | 'words' | 'all'

export type FileAction = 'read' | 'edit' | 'create' | 'delete'

/** Words are folded (case, accents) but not stemmed. A term of several words is a phrase. */
export interface WorkQuery {
  readonly all?: readonly Term[]
  /** At least one must match; with `all` they only add to the score. */
  readonly any: readonly Term[]
  /** Searches only what the call did (command, files, patterns, addresses, key result lines). */
  readonly didOnly?: boolean
}

/** All conditions must hold; applied before the limit and to the total. */
export interface WorkFilter extends Pick<ChunkFilter, 'agentId' | 'after' | 'before' | 'project' | 'sessionId' | 'sources' | 'branches'> {
  /** Path, suffix or name; `*`, `?` and `**` as in globs. Case-insensitive. */
  readonly file?: string
  /** Only calls that did one of these to a file (matching `file`, if given). */
  readonly actions?: readonly FileAction[]
  /** As the harness names it; case-insensitive. */
  readonly tool?: string
  /** Adjacent words of the command. */
  readonly command?: string
  readonly errors?: boolean
}

export interface WorkHit {
  /** Row in the index; changes on a rebuild, so never cite it. */
  readonly id: number
  /** Positive bm25, what the call did weighted more; 0 without terms. */
  readonly score: number
}

export interface WorkFound {
  /** Best first, ties newest first. */
  readonly hits: readonly WorkHit[]
  /** All matching calls. */
  readonly total: number
  /** False if counting stopped at `total`. */
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
  /** Native ids of the messages with the call and with its result. */
  readonly message_id: string | null
  readonly result_message_id: string | null
  readonly tool: string | null
  readonly status: string
  readonly failed: number
  /** 1 if abandoned by a later edit or fork. */
  readonly superseded: number
  readonly timestamp: number
  /** Raw: redact before use. Truncated at `maxChars`, so possibly invalid JSON. */
  readonly params_json: string | null
  readonly result_json: string | null
}

export interface FileTouch {
  readonly path: string
  readonly session_id: string
  readonly agent_id: string
  readonly read: number
  readonly edited: number
  readonly created: number
  readonly deleted: number
  readonly first_at: number
  readonly last_at: number
  /** The newest call, for `calls`. */
  readonly last_id: number
}

export interface ChangedFile {
  readonly path: string
  readonly touched_at: number
  readonly changes: number
  readonly sessions: number
  readonly changed_at: number
  readonly last_id: number
}

export interface Work {
  readonly tools: ToolIndexing
  /** Without terms, the newest calls that pass the filter. */
  search(query: WorkQuery, filter: WorkFilter, limit: number): Promise<WorkFound>
  /** Existing calls in the order of `ids`. `maxChars` limits params and result each; default about 2 MiB. */
  calls(ids: readonly number[], maxChars?: number): Promise<WorkCall[]>
  /** Last touched first; `total` counts pairs of path and session. */
  files(filter: WorkFilter, limit: number): Promise<{ readonly files: readonly FileTouch[]; readonly total: number }>
  changedSince(sessionId: string, limit: number): Promise<{ readonly files: readonly ChangedFile[]; readonly total: number }>
  /** Upper bound. */
  documentFrequency(term: Term): Promise<number>
  /** Counts rows: too slow for every search. */
  coverage(): Promise<WorkCoverage>
}

export interface WorkCoverage {
  readonly calls: number
  /** Of these, only partly indexed. */
  readonly shortened: number
  readonly waiting_sessions: number
}
