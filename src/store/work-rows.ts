/** Changing a call or its session queues the session in the same transaction, until `settle`. */
import type { FileAction } from './work.ts'

export interface LedgerCall {
  readonly id: string
  readonly tool_name: string | null
  readonly status: string
  readonly timestamp: number
  readonly superseded: number
  readonly params_json: string | null
  readonly result_json: string | null
}

/** All texts must be redacted. */
export interface NewWork {
  /** agent_tool_calls.id */
  readonly callId: string
  readonly tool: string | null
  readonly timestamp: number
  readonly superseded: number
  readonly failed: boolean
  readonly shortened: boolean
  readonly command: string
  /** Its other effects, and the relevant result lines. */
  readonly did: string
  readonly text: string
  readonly files: readonly { readonly path: string; readonly action: FileAction }[]
}

export interface WorkOwner {
  readonly sessionId: string
  readonly agentId: string
  readonly identity: string
}

export interface OwnedWork {
  readonly owner: WorkOwner
  readonly rows: readonly NewWork[]
}

export interface WorkRows {
  /** Newest message first. */
  waiting(agentId?: string): Promise<string[]>
  waitAll(agentId?: string): Promise<void>
  wait(sessionId: string): Promise<void>
  agentOf(sessionId: string): Promise<string | undefined>
  /** Calls without a row of this version, ordered by id, with text lengths. */
  missing(owner: WorkOwner): Promise<{ readonly id: string; readonly length: number }[]>
  /** Truncates parameters and result to `maxChars` each. Omits missing calls. */
  read(ids: readonly string[], maxChars: number): Promise<LedgerCall[]>
  /** Replaces existing rows. Batch everything of a transaction: each call has a fixed cost. */
  add(works: readonly OwnedWork[]): Promise<void>
  /** Also empties the queue. */
  clear(): Promise<void>
  remove(sessionId: string): Promise<number>
  settle(sessionId: string): Promise<void>
}
