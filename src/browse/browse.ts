/** Redacted, unless the owner asks for raw text. */
import type { Retention } from '../core/retention-words.ts'
import type { Trust } from '../core/trust.ts'

export interface SessionsRequest {
  readonly limit?: number
  readonly project?: string
  readonly source?: string
  readonly agent?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly subagents?: boolean
  /** Words that must all occur in title, project, label or first prompt. */
  readonly text?: string
  readonly ids?: readonly string[]
}

export interface SessionList {
  readonly sessions: readonly SessionSummary[]
  /** Including those beyond the limit. */
  readonly total: number
}

export interface SessionSummary {
  readonly id: string
  readonly session_id: string
  readonly source: string
  /** `source` by the name used in hits and published files. */
  readonly harness: string
  readonly label: string
  readonly title: string | null
  /** owner, harness, plan, pull_request, commit or prompt. */
  readonly title_origin: string | null
  /** Second subject: the first prompt if a commit or pull request gave the title, else the first commit. */
  readonly about: string | null
  /** Name of the repository, with its owner if ambiguous. */
  readonly project_name: string | null
  /** Root of the repository, else the folder. */
  readonly project: string | null
  readonly workspace_path: string | null
  readonly model: string | null
  /** The model with most turns first. */
  readonly models: readonly string[]
  readonly status: string
  readonly started_at: string | null
  readonly last_message_at: string | null
  readonly message_count: number
  readonly turn_count: number
  readonly tool_call_count: number
  /** Of the current path, by Mnemonic's own tokenizer. */
  readonly token_count: number
  /** Reported by the source; null if not reported, or if the list is too long. */
  readonly usage: RecordedUsage | null
  readonly is_subagent: boolean
  readonly parent_session_id: string | null
}

/** Sums over messages. In some sources input includes cache reads. Null: never recorded. */
export interface RecordedUsage {
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cache_read_tokens: number | null
  readonly cache_write_tokens: number | null
  readonly reasoning_tokens: number | null
}

export type ShowAnswer = ShownSession | ShownTree | ShownOutline

export interface ShownOutline {
  readonly kind: 'outline'
  readonly session: SessionSummary
  readonly turns: readonly OutlinedTurn[]
}

export interface OutlinedTurn {
  readonly id: string
  readonly turn_id: string
  readonly status: string
  readonly turn_type: string
  readonly timestamp: string | null
  readonly prompt: string
  readonly message_count: number
  readonly tool_call_count: number
  readonly token_count: number
}

export interface ResumeAnswer {
  readonly session_id: string
  /** The named subagent, if another session is resumed for it. */
  readonly subagent_id: string | null
  readonly harness: string
  /** Null if unknown. */
  readonly folder: string | null
  readonly folder_exists: boolean
  readonly argv: readonly string[]
  readonly command: string
}

export interface ShownPages {
  readonly kind: 'session' | 'turn'
  readonly session: SessionSummary
  readonly turn_count: number
  readonly pages: AsyncIterable<readonly ShownTurn[]>
}

export interface ShownTree {
  readonly kind: 'tree'
  readonly session_id: string
  readonly root_session_id: string
  readonly nodes: readonly TreeNode[]
}

export interface TreeNode extends SessionSummary {
  readonly depth: number
  readonly task_status: string | null
  /** The call that started it, and its message; null for a root. */
  readonly started_by: { readonly tool_call_id: string; readonly tool: string | null; readonly message_id: string | null } | null
  /** Source id of a parent that is not imported. */
  readonly missing_parent: string | null
}

export interface ShownSession {
  readonly kind: 'session' | 'turn'
  readonly session: SessionSummary
  readonly turns: readonly ShownTurn[]
}

export interface ShownTurn {
  readonly id: string
  readonly turn_id: string
  readonly parent_turn_id: string | null
  readonly status: string
  readonly turn_type: string
  readonly timestamp: string | null
  readonly model: string | null
  readonly token_count: number
  /** The choice behind a prompt that only picks ("2", "yes"), in words. */
  readonly answers?: string
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

export interface SourceInfo {
  readonly name: string
  /** harness: on by default. personal: off by default. derived: a step of sync without files. */
  readonly kind: 'harness' | 'personal' | 'derived'
  /** False if this version cannot read it. */
  readonly available: boolean
  readonly enabled: boolean
  readonly places: readonly { readonly path: string; readonly exists: boolean }[]
  readonly units: number
  readonly bytes: number
  /** Units whose fingerprint has changed. */
  readonly waiting: number
  readonly oldest_waiting: string | null
  /** What the harness deletes; null if unknown. */
  readonly retention: Retention | null
  /** Unknown kinds of records: counted, not read. */
  readonly unknown: readonly UnknownRecords[]
  readonly warnings: readonly string[]
  readonly hint?: string
}

export interface UnknownRecords {
  readonly name: string
  readonly count: number
  readonly files: number
  readonly first_seen: string
  readonly last_seen: string
  readonly example_path: string
}

export interface SqlAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly truncated: boolean
}
