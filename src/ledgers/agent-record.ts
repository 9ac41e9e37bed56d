/** Records from adapters, in one shape for all sources. Names are the source's own (native) ids. */
import type { Trust } from '../core/trust.ts'

export type AgentRecord = SessionRecord | MessageRecord | LinkRecord | TitleRecord | HeadRecord | TurnRecord | CallRecord

/** Creates or updates a session. Must precede its first message; omitted fields stay. */
export interface SessionRecord {
  readonly type: 'session'
  readonly session: string
  /** Distinguishes sessions of the same name. */
  readonly firstHash: string
  /** The name is only a file name and may not be unique; `firstHash` then decides. */
  readonly weakName?: boolean
  /** The real name, if several sessions of the unit share it and `session` is unique. */
  readonly sharedName?: string
  readonly agentId?: string
  readonly label?: string
  readonly sessionKey?: string
  readonly project?: string
  readonly workspacePath?: string
  readonly model?: string
  readonly isSubagent?: boolean
  /** Native names of the parent session and of the call that started this one. */
  readonly parentSession?: string
  readonly toolCall?: string
  readonly taskDescription?: string
  readonly taskStatus?: string
  readonly contextTokenLimit?: number
  readonly contextTokensUsed?: number
  readonly isAgentic?: boolean
  readonly forceMode?: string
  /** Facts without a column (branch, version, links). Merged by key. */
  readonly context?: Readonly<Record<string, unknown>>
  /** The session's header record, never its messages. */
  readonly raw?: unknown
  /** The harness reported the end. */
  readonly ended?: boolean
  readonly conversationState?: string
  /** Deleted in the source: stays in the ledger but leaves the index. */
  readonly deleted?: boolean
  /** If it differs from the first message's time. */
  readonly createdAt?: number
  /** Ledger id of the message it was started from. */
  readonly parentMessage?: string
  /** Time of the last change. An older copy (export, backup) only adds missing data: never title, head or text. */
  readonly changedAt?: number
  /** A snapshot: the following records are the whole session in order. Stored messages missing from it were abandoned. */
  readonly whole?: boolean
  /** If the source reports more than message times. */
  readonly lastMessageAt?: number
}

export type MessageKind = 'prompt' | 'reply' | 'tool_result' | 'summary' | 'meta' | 'command' | 'notice' | 'attachment'

/**
 * A message, or a part of one. Records with the same `id` are parts: texts are joined by a blank line, blocks and calls appended. A stored
 * record (same source, name and hash, in any session) is a duplicate and is skipped; its successors follow the stored message.
 */
export interface MessageRecord {
  readonly type: 'message'
  readonly session: string
  /** Native id; if absent, derived from `ordinal`, role and text. */
  readonly id?: string
  readonly ordinal?: number
  /**
   * Other unique names of this message, from other files of the conversation (such as `<session>/<role>-<hash of text>-<n>`). A record with
   * a stored alias is a duplicate.
   */
  readonly aliases?: readonly string[]
  /**
   * The source rewrites records in place: the stored message is replaced. `hash` must then cover everything that may change, calls and
   * results too. `fuller`: the later version is unknown (imported ledger), so the longer text wins if it extends the other; otherwise both
   * stay.
   */
  readonly replaces?: boolean | 'fuller'
  /** The record's own name, if it differs from the message's (a line's uuid), and its text hash. */
  readonly recordId?: string
  readonly hash: string
  readonly records?: readonly { readonly id: string; readonly hash: string }[]
  /** Name of the preceding record. If absent or unknown: the previous record of the session. */
  readonly parent?: string
  /**
   * Ledger id of the original, in a session that Mnemonic forked. If stored, the record is a duplicate of it, whatever its name and text.
   */
  readonly copyOf?: string
  /** A hash per copied line (core/fork-marker.ts); other lines are the record's own, even if the original was forgotten. */
  readonly copiedLines?: readonly string[]
  /** Replaces `parent`: ledger id of a message in another session, which may arrive later. */
  readonly parentElsewhere?: string
  /** user is only human input; tool results are tool; harness text is system. */
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  /** prompt opens a turn; summary makes a compaction turn; others join their parent's turn. */
  readonly kind: MessageKind
  readonly text: string
  readonly timestamp?: number
  /** Number in another ledger, kept if it is the highest in the session. */
  readonly sequence?: number
  /** From another ledger. If absent, kind and parent decide. */
  readonly opens?: boolean
  readonly speaker?: string
  readonly trust: Trust
  readonly model?: string
  readonly provider?: string
  /** The source's name for the turn. */
  readonly turn?: string
  /** Ordered: texts and calls by reference, the rest verbatim. */
  readonly blocks?: readonly unknown[]
  /** Merged by key over the parts; numbers under `usage` keep their maximum. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly checkpointId?: string
  readonly isAgentic?: boolean
  readonly isPlanExecution?: boolean
  /** Attachments of a prompt (files, selections) and active rules: JSON. */
  readonly context?: unknown
  readonly cursorRules?: unknown
  readonly toolCalls?: readonly ToolCallPart[]
  readonly toolResults?: readonly ToolResultPart[]
  readonly compaction?: { readonly trigger?: string; readonly tokensBefore?: number; readonly metadata?: unknown }
}

export interface ToolCallPart {
  readonly id: string
  readonly name: string
  /** JSON; empty only from another ledger. */
  readonly params: string
  /** If it differs from the record's time. Null: another ledger has no time. */
  readonly startedAt?: number | null
  /** Only from another ledger: number, and status without a result. */
  readonly number?: number
  readonly status?: string
}

export interface ToolResultPart {
  readonly callId: string
  /** JSON: the source's content and all other result data. */
  readonly result: string
  readonly isError: boolean
  /** If absent: times of the call's and result's records. Null: another ledger has no time. */
  readonly startedAt?: number
  readonly completedAt?: number | null
  /** Another ledger's status; default `error` or `completed`. */
  readonly status?: string
  /** Native name of the subagent session that the call started. */
  readonly childSession?: string
}

/** Not a message, but a link in the parent chain: its children follow its parent. */
export interface LinkRecord {
  readonly type: 'link'
  readonly session: string
  readonly recordId: string
  readonly parent?: string
}

/** Titles this session, or the session that contains the message `leaf`. The highest rank wins, then the latest. */
export interface TitleRecord {
  readonly type: 'title'
  readonly session?: string
  readonly leaf?: string
  readonly title: string
  readonly rank: TitleRank
}

/**
 * Moves the head to `recordId`, or before the first message. Turns off the path become superseded. Needed only if the newest message is not
 * the head.
 */
export interface HeadRecord {
  readonly type: 'head'
  readonly session: string
  readonly recordId?: string
}

/** Turn data from another ledger. `at` is a record of the turn. For turns that this unit did not add, fills only gaps. */
export interface TurnRecord {
  readonly type: 'turn'
  readonly session: string
  readonly at: string
  /** The other ledger's rules win, even for turns that only grew; its token count always counts. */
  readonly firm?: boolean
  readonly model?: string
  readonly provider?: string
  readonly tokenCount?: number
  readonly timestamp?: number
}

/** From another ledger: a call without a message. */
export interface CallRecord {
  readonly type: 'call'
  readonly session: string
  readonly call: ToolCallPart
  readonly result?: ToolResultPart
}

/** `prompt`: the source repeats the first prompt, so any title of ours is better. */
export const TITLE_RANK = { prompt: 1, summary: 2, generated: 3, custom: 4 } as const
export type TitleRank = (typeof TITLE_RANK)[keyof typeof TITLE_RANK]
