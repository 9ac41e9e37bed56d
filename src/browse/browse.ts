/** What a person or an agent reads of the ledger: sessions, one session, one turn. Redacted unless the owner asks for raw. */
import type { Retention } from '../core/retention-words.ts'
import type { Trust } from '../core/trust.ts'

export interface SessionsRequest {
  readonly limit?: number
  readonly project?: string
  readonly source?: string
  readonly agent?: string
  readonly after?: string
  readonly before?: string
  /** The same as `after` and `before`. */
  readonly since?: string
  readonly until?: string
  readonly subagents?: boolean
  /** Words, all of which stand in the title, the project, the label or the first prompt. */
  readonly text?: string
  /** Only these, by their whole ids. */
  readonly ids?: readonly string[]
}

/** The newest of the sessions that were asked for. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[]
  /** How many there are, beyond the limit too. */
  readonly total: number
}

export interface SessionSummary {
  /** Short and unique, as a person types it: `c010174c`. */
  readonly id: string
  readonly session_id: string
  readonly source: string
  /** The same as `source`, by the name that hits and published files have for it. */
  readonly harness: string
  readonly label: string
  readonly title: string | null
  /** Where the title comes from: owner, harness, plan, pull_request, commit or prompt. */
  readonly title_origin: string | null
  /** What else it is about: the first prompt where a commit or a pull request gave the title, the first commit where a prompt did. */
  readonly about: string | null
  /** The repository's own name, with its owner's where two have one name. */
  readonly project_name: string | null
  /** The root of the repository, where the folder is in one; else the folder. */
  readonly project: string | null
  /** The folder as the harness named it. */
  readonly workspace_path: string | null
  readonly model: string | null
  /** All models that answered in it, the one with most turns first. */
  readonly models: readonly string[]
  readonly status: string
  readonly started_at: string | null
  readonly last_message_at: string | null
  readonly message_count: number
  readonly turn_count: number
  readonly tool_call_count: number
  /** Tokens of what was said on the current path, counted by Mnemonic's own tokenizer. */
  readonly token_count: number
  /** What the source says that it used; null where it says nothing, or where a list is too long to ask. */
  readonly usage: RecordedUsage | null
  readonly is_subagent: boolean
  readonly parent_session_id: string | null
}

/** Sums over a session's messages, as the source counts: with some, input includes what was read from a cache. Null: never recorded. */
export interface RecordedUsage {
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cache_read_tokens: number | null
  readonly cache_write_tokens: number | null
  readonly reasoning_tokens: number | null
}

export type ShowAnswer = ShownSession | ShownTree | ShownOutline

/** A line a turn. */
export interface ShownOutline {
  readonly kind: 'outline'
  readonly session: SessionSummary
  readonly turns: readonly OutlinedTurn[]
}

export interface OutlinedTurn {
  /** Short, as a person types it: `c010174c:7`. */
  readonly id: string
  readonly turn_id: string
  readonly status: string
  readonly turn_type: string
  readonly timestamp: string | null
  /** The first words of what opened it. */
  readonly prompt: string
  readonly message_count: number
  readonly tool_call_count: number
  readonly token_count: number
}

/** How a harness takes up a session again. */
export interface ResumeAnswer {
  readonly session_id: string
  /** The session of the subagent that was named, where another one is resumed for it. */
  readonly subagent_id: string | null
  readonly harness: string
  /** Where it ran; null where that is not known. */
  readonly folder: string | null
  readonly folder_exists: boolean
  /** Program and arguments, to be run in the folder. */
  readonly argv: readonly string[]
  /** The same for a shell, quoted. */
  readonly command: string
}

/** What `show` gives of a session or a turn, page by page. */
export interface ShownPages {
  readonly kind: 'session' | 'turn'
  readonly session: SessionSummary
  readonly turn_count: number
  /** In their order; can be read once. */
  readonly pages: AsyncIterable<readonly ShownTurn[]>
}

/** A session with its subagents, theirs, and so on, each after the one that started it. */
export interface ShownTree {
  readonly kind: 'tree'
  /** The session that was asked for: anywhere in the tree. */
  readonly session_id: string
  readonly root_session_id: string
  readonly nodes: readonly TreeNode[]
}

export interface TreeNode extends SessionSummary {
  /** 0 for the root. */
  readonly depth: number
  readonly task_status: string | null
  /** The call that started it, and the message that holds the call; null for a root. */
  readonly started_by: { readonly tool_call_id: string; readonly tool: string | null; readonly message_id: string | null } | null
  /** What the source calls the session that started it, where that is not imported. */
  readonly missing_parent: string | null
}

/** A session with its turns, or one turn: whatever the id names. */
export interface ShownSession {
  readonly kind: 'session' | 'turn'
  readonly session: SessionSummary
  readonly turns: readonly ShownTurn[]
}

export interface ShownTurn {
  /** Short and unique, as a person types it: `c010174c:7`. */
  readonly id: string
  readonly turn_id: string
  readonly parent_turn_id: string | null
  readonly status: string
  readonly turn_type: string
  readonly timestamp: string | null
  readonly model: string | null
  readonly token_count: number
  /** What a prompt that only picks ("2", "yes") settles, in the words of the message before it. */
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

/** What would be read, before anything is imported. */
export interface SourceInfo {
  readonly name: string
  /** harness: read unless switched off; personal: only when switched on; derived: no files of its own, but a step of sync. */
  readonly kind: 'harness' | 'personal' | 'derived'
  /** False for a source that this version cannot read yet. */
  readonly available: boolean
  readonly enabled: boolean
  readonly places: readonly { readonly path: string; readonly exists: boolean }[]
  readonly units: number
  readonly bytes: number
  /** Units whose fingerprint is not the one last read. */
  readonly waiting: number
  /** When the oldest of those was last written. */
  readonly oldest_waiting: string | null
  /** What the harness deletes by itself; null where that is not known. */
  readonly retention: Retention | null
  /** Records of kinds that this version does not know, by name: they are counted, not read. */
  readonly unknown: readonly UnknownRecords[]
  readonly warnings: readonly string[]
  /** What to do, where there is something to do. */
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
