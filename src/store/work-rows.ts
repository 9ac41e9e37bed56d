/**
 * The hot path of tool work: which calls are to be indexed, what the ledger holds of them, and the rows that they become. What changes a call
 * or its session puts the session among those that wait, in the same transaction, whoever writes; it stays there until `settle`.
 */
import type { FileAction } from './work.ts'

/** A call as the ledger has it. */
export interface LedgerCall {
  readonly id: string
  readonly tool_name: string | null
  readonly status: string
  readonly timestamp: number
  readonly superseded: number
  /** At most so much of them as was asked for. */
  readonly params_json: string | null
  readonly result_json: string | null
}

/** A call to be indexed. Every text in it is redacted. */
export interface NewWork {
  /** agent_tool_calls.id */
  readonly callId: string
  readonly tool: string | null
  readonly timestamp: number
  readonly superseded: number
  readonly failed: boolean
  readonly shortened: boolean
  /** The command that it ran, or ''. */
  readonly command: string
  /** What else it did, with the lines of its result that matter. */
  readonly did: string
  /** All of its parameters and its result, as far as they are indexed. */
  readonly text: string
  readonly files: readonly { readonly path: string; readonly action: FileAction }[]
}

export interface WorkOwner {
  readonly sessionId: string
  readonly agentId: string
  /** What built the rows. */
  readonly identity: string
}

/** Calls of one session. */
export interface OwnedWork {
  readonly owner: WorkOwner
  readonly rows: readonly NewWork[]
}

export interface WorkRows {
  /** Sessions that wait, those with the newest message first. */
  waiting(agentId?: string): Promise<string[]>
  /** Lets all sessions with calls wait: of one agent, or of all. */
  waitAll(agentId?: string): Promise<void>
  /** Lets one session wait. */
  wait(sessionId: string): Promise<void>
  /** Whose session it is; undefined where it is gone or marked as deleted. */
  agentOf(sessionId: string): Promise<string | undefined>
  /** Calls of a session that have no row, or one that another version built, in the order of their ids; with the length of their texts. */
  missing(owner: WorkOwner): Promise<{ readonly id: string; readonly length: number }[]>
  /** Calls with the first `maxChars` of their parameters and of their result. Those that are gone are missing. */
  read(ids: readonly string[], maxChars: number): Promise<LedgerCall[]>
  /** Replaces what there is of these calls. Of all that a transaction adds, in one call: each call has a price of its own. */
  add(works: readonly OwnedWork[]): Promise<void>
  /** Empties the index: no row, no word, and no session waits. */
  clear(): Promise<void>
  /** Removes the rows of a session; gives how many there were. */
  remove(sessionId: string): Promise<number>
  /** Marks rows as their turns are now, gives them to the session's agent, and ends the session's waiting. */
  settle(sessionId: string): Promise<void>
}
