/** What a capture hands to the agents ledger: one source's records in one shape. Names are the source's own (native) ids. */
import type { Trust } from '../core/trust.ts'

export type AgentRecord = SessionRecord | MessageRecord | LinkRecord | TitleRecord | HeadRecord | TurnRecord | CallRecord

/** Says or corrects what is known of a session. Comes before the session's first message; fields left out stay as they are. */
export interface SessionRecord {
  readonly type: 'session'
  readonly session: string
  /** Hash of the session's first record: tells two sessions of one name apart. */
  readonly firstHash: string
  /** The name is only a file's: another session may well have the same one, and `firstHash` then tells them apart. */
  readonly weakName?: boolean
  /** Its real name, where another session of the same unit has that name too and `session` tells the two apart. */
  readonly sharedName?: string
  readonly agentId?: string
  readonly label?: string
  readonly sessionKey?: string
  readonly project?: string
  readonly workspacePath?: string
  readonly model?: string
  readonly isSubagent?: boolean
  /** The parent session, and the call that started this one, as the source names them. */
  readonly parentSession?: string
  readonly toolCall?: string
  readonly taskDescription?: string
  readonly taskStatus?: string
  readonly contextTokenLimit?: number
  readonly contextTokensUsed?: number
  readonly isAgentic?: boolean
  readonly forceMode?: string
  /** Small facts about the session that have no column (branch, version, links). Merged key by key. */
  readonly context?: Readonly<Record<string, unknown>>
  /** The session's own header record, never its messages. */
  readonly raw?: unknown
  /** The harness said that the session is over. */
  readonly ended?: boolean
  /** What the source calls the state of the conversation, where that is more than `ended`. */
  readonly conversationState?: string
  /** The source says that its owner deleted the session, or that it did not: it stays in the ledger and leaves the index. */
  readonly deleted?: boolean
  /** When it was made, where that is not the time of its first message. */
  readonly createdAt?: number
  /** The message it was started from, by its id in the ledger. */
  readonly parentMessage?: string
  /**
   * When the source last changed the session. A copy that is older than what is stored (last year's export, a backup) adds what is
   * missing, and takes nothing back: neither title, head nor text.
   */
  readonly changedAt?: number
  /**
   * What follows is the whole session as the unit holds it now, from its first message on and in its order. Where the unit told the session
   * before, what it does not tell any more was left behind.
   */
  readonly whole?: boolean
  /** When the source last moved, where it knows better than its messages. */
  readonly lastMessageAt?: number
}

export type MessageKind = 'prompt' | 'reply' | 'tool_result' | 'summary' | 'meta' | 'command' | 'notice' | 'attachment'

/**
 * One record that is, or is part of, a message. Records with the same `id` in one session are parts of one message:
 * texts are joined by a blank line, blocks and calls appended. A record already stored (same source, record name and
 * hash, in any session) is skipped, and what follows it attaches to the stored message.
 */
export interface MessageRecord {
  readonly type: 'message'
  readonly session: string
  /** The message's native id; without one the ledger makes it from `ordinal`, role and text. */
  readonly id?: string
  readonly ordinal?: number
  /**
   * Further names of this message, unique within the source, by which another road to the same conversation knows it (a transcript
   * without ids: `<session>/<role>-<hash of text>-<n>`). A record one of whose aliases is stored already is a repetition.
   */
  readonly aliases?: readonly string[]
  /**
   * The source rewrites its records in place: a stored message of this id takes this text, these blocks, calls and results instead.
   * `hash` then covers everything that may change, calls and results too. `fuller`: nobody knows which of the two is the later one
   * (another ledger tells it); where one continues the other, the longer one stays, whichever came first, else both.
   */
  readonly replaces?: boolean | 'fuller'
  /** This record's own name, when it has one apart from the message's (a line's uuid), and the hash of its text. */
  readonly recordId?: string
  readonly hash: string
  /** Further records, by name and hash, that are part of this message already: what an imported ledger knows of it. */
  readonly records?: readonly { readonly id: string; readonly hash: string }[]
  /** The record this one follows, by record name. Absent or unknown: the record before it in the same session. */
  readonly parent?: string
  /** Instead of `parent`: the message of another session that this one follows, by its id in the ledger. It may come later. */
  readonly parentElsewhere?: string
  /** user is what a human typed, and nothing else; tool results are tool; all that a harness injected is system. */
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  /** prompt opens a turn; summary makes a compaction turn; the rest belongs to the turn it follows. */
  readonly kind: MessageKind
  readonly text: string
  readonly timestamp?: number
  /** Its number in another ledger: kept where no message of the session has a higher one. */
  readonly sequence?: number
  /** What another ledger knows of turns: that it opens one, or that it does not. Without it the kind and the record before decide. */
  readonly opens?: boolean
  readonly speaker?: string
  readonly trust: Trust
  readonly model?: string
  /** Who served the model, where the source says so: a turn's is that of its last answer. */
  readonly provider?: string
  /** What the source calls the turn that this message belongs to. */
  readonly turn?: string
  /** The content in its order, text and tool calls by reference, everything else (thinking, unknown) whole. */
  readonly blocks?: readonly unknown[]
  /** Envelope fields. Merged key by key over the parts; numbers under `usage` keep their maximum. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly checkpointId?: string
  readonly isAgentic?: boolean
  readonly isPlanExecution?: boolean
  /** What was attached to a prompt (files, selections), and the rules in force: JSON. */
  readonly context?: unknown
  readonly cursorRules?: unknown
  readonly toolCalls?: readonly ToolCallPart[]
  readonly toolResults?: readonly ToolResultPart[]
  /** With kind summary. */
  readonly compaction?: { readonly trigger?: string; readonly tokensBefore?: number; readonly metadata?: unknown }
}

export interface ToolCallPart {
  readonly id: string
  readonly name: string
  /** JSON; empty only where another ledger has none. */
  readonly params: string
  /** When it was made, where that is not the time of its record. Null: another ledger does not know. */
  readonly startedAt?: number | null
  /** What another ledger says of it: its number, and how it stands while it has no result. */
  readonly number?: number
  readonly status?: string
}

export interface ToolResultPart {
  readonly callId: string
  /** JSON: the content as the source gives it, with what else the source says of the result. */
  readonly result: string
  readonly isError: boolean
  /** When the tool began and ended, where the source says so: else the times of the records that tell of it. Null: another ledger does not know. */
  readonly startedAt?: number
  readonly completedAt?: number | null
  /** How it ended in the words of another ledger; else `error` or `completed`. */
  readonly status?: string
  /** The subagent session that this call started, as the source names it. */
  readonly childSession?: string
}

/** A record that is no message but stands in the chain of parents: what follows it follows its parent. */
export interface LinkRecord {
  readonly type: 'link'
  readonly session: string
  readonly recordId: string
  readonly parent?: string
}

/** A title: of this session, or of the session that holds the message `leaf`. The highest rank wins, then the latest. */
export interface TitleRecord {
  readonly type: 'title'
  readonly session?: string
  readonly leaf?: string
  readonly title: string
  readonly rank: TitleRank
}

/**
 * The source went back: the conversation stands at `recordId` now (without one: before its first message), and what follows there
 * follows that record. Turns that are not on the way to it become superseded. Needed only where the newest message is not the head.
 */
export interface HeadRecord {
  readonly type: 'head'
  readonly session: string
  readonly recordId?: string
}

/**
 * What another ledger says of a turn, beyond its messages. `at` is a record of the turn. Taken over where this unit brought the turn;
 * of any other only what is not known yet.
 */
export interface TurnRecord {
  readonly type: 'turn'
  readonly session: string
  readonly at: string
  /** The other ledger keeps these by rules of its own: they count also where the turn only grew, and its tokens always. */
  readonly firm?: boolean
  readonly model?: string
  readonly provider?: string
  readonly tokenCount?: number
  readonly timestamp?: number
}

/** A call that another ledger knows of no message. */
export interface CallRecord {
  readonly type: 'call'
  readonly session: string
  readonly call: ToolCallPart
  readonly result?: ToolResultPart
}

export const TITLE_RANK = { prompt: 1, summary: 2, generated: 3, custom: 4 } as const
export type TitleRank = (typeof TITLE_RANK)[keyof typeof TITLE_RANK]
