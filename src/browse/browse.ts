/** What a person or an agent reads of the ledger: sessions, one session, one turn. Redacted unless the owner asks for raw. */
import type { Trust } from '../core/trust.ts'

export interface SessionsRequest {
  readonly limit?: number
  readonly project?: string
  readonly source?: string
  readonly agent?: string
  readonly after?: string
  readonly before?: string
  readonly subagents?: boolean
}

export interface SessionSummary {
  readonly session_id: string
  readonly source: string
  readonly label: string
  readonly title: string | null
  readonly project: string | null
  readonly model: string | null
  readonly status: string
  readonly started_at: string | null
  readonly last_message_at: string | null
  readonly message_count: number
  readonly turn_count: number
  readonly tool_call_count: number
  readonly is_subagent: boolean
  readonly parent_session_id: string | null
}

/** A session with its turns, or one turn: whatever the id names. */
export interface ShowAnswer {
  readonly kind: 'session' | 'turn'
  readonly session: SessionSummary
  readonly turns: readonly ShownTurn[]
}

export interface ShownTurn {
  readonly turn_id: string
  readonly parent_turn_id: string | null
  readonly status: string
  readonly turn_type: string
  readonly timestamp: string | null
  readonly model: string | null
  readonly token_count: number
  readonly messages: readonly ShownMessage[]
}

export interface ShownMessage {
  readonly message_id: string
  readonly role: string
  readonly kind: string
  readonly speaker: string
  readonly timestamp: string | null
  readonly trust: Trust
  readonly text: string
  readonly tool_calls: readonly {
    readonly tool_call_id: string
    readonly tool: string | null
    readonly status: string
    readonly params: string | null
    readonly result: string | null
    readonly child_session_id: string | null
  }[]
}

/** What would be read, before anything is imported. */
export interface SourceInfo {
  readonly name: string
  readonly enabled: boolean
  readonly places: readonly { readonly path: string; readonly exists: boolean }[]
  readonly units: number
  readonly bytes: number
  /** Units whose fingerprint is not the one last read. */
  readonly waiting: number
  readonly warnings: readonly string[]
}

export interface SqlAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly truncated: boolean
}
