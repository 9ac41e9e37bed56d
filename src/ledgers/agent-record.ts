/** What an adapter hands to the agents ledger: the records of every source in one shape. Names are the source's own (native) ids. */
import type { Trust } from '../core/trust.ts'

export type AgentRecord = SessionRecord | MessageRecord | LinkRecord | TitleRecord | HeadRecord | TurnRecord | CallRecord

/** Describes a session, or corrects what is stored of it. Comes before the session's first message; fields left out stay as they are. */
export interface SessionRecord {
  readonly type: 'session'
  readonly session: string
  /** Hash of the session's first record: tells two sessions of one name apart. */
  readonly firstHash: string
  /** The name is only that of a file: another session may have the same one, and `firstHash` then tells them apart. */
  readonly weakName?: boolean
  /** Its real name, where another session of the same unit has that name too, and `session` tells the two apart. */
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
  /** The harness reports that the session is over. */
  readonly ended?: boolean
  /** What the source calls the state of the conversation, where that is more than `ended`. */
  readonly conversationState?: string
  /** Whether the session is deleted in the source: it then stays in the ledger and leaves the index. */
  readonly deleted?: boolean
  /** When it was created, where that is not the time of its first message. */
  readonly createdAt?: number
  /** The message it was started from, by its id in the ledger. */
  readonly parentMessage?: string
  /**
   * When the source last changed the session. A copy that is older than what is stored (last year's export, a backup) adds what is missing and
   * changes nothing else: neither title, head nor text.
   */
  readonly changedAt?: number
  /**
   * The unit is a snapshot: what follows is the whole session as the unit holds it now, from its first message on, in order. Where the unit held
   * the session before, messages that it does not contain any more were left behind.
   */
  readonly whole?: boolean
  /** When the session last changed, where the source reports more than the times of its messages. */
  readonly lastMessageAt?: number
}

export type MessageKind = 'prompt' | 'reply' | 'tool_result' | 'summary' | 'meta' | 'command' | 'notice' | 'attachment'

/**
 * One record that is a message or a part of one. Records with the same `id` in one session are parts of one message: texts are joined by a blank
 * line, blocks and calls appended. A record that is stored already (same source, record name and hash, in any session) is a duplicate: it is
 * skipped, and what follows it follows the stored message.
 */
export interface MessageRecord {
  readonly type: 'message'
  readonly session: string
  /** The message's native id; without one the ledger makes it from `ordinal`, role and text. */
  readonly id?: string
  readonly ordinal?: number
  /**
   * Further names of this message, unique within the source, which other files of the same conversation give it (a transcript without ids:
   * `<session>/<role>-<hash of text>-<n>`). A record with an alias that is stored already is a duplicate.
   */
  readonly aliases?: readonly string[]
  /**
   * The source rewrites its records in place: a stored message of this id takes this text, these blocks, calls and results instead. `hash` then
   * covers everything that may change, calls and results too. `fuller`: nobody knows which of the two is the later version (the record comes
   * from another ledger); where one continues the other, the longer one stays, whichever came first, otherwise both.
   */
  readonly replaces?: boolean | 'fuller'
  /** This record's own name, when it has one apart from the message's (a line's uuid), and the hash of its text. */
  readonly recordId?: string
  readonly hash: string
  /** Further records, by name and hash, that this message is made of: what an imported ledger holds of it. */
  readonly records?: readonly { readonly id: string; readonly hash: string }[]
  /** The record this one follows, by record name. Absent or unknown: the record before it in the same session. */
  readonly parent?: string
  /**
   * The message, by its id in the ledger, that this record is a copy of in a session that Mnemonic forked. Where it is stored, the record is a
   * duplicate of it, whatever its own name and text are.
   */
  readonly copyOf?: string
  /** A hash of each line that was copied (core/fork-marker.ts): the others are the record's own words, also where the origin was forgotten. */
  readonly copiedLines?: readonly string[]
  /** Instead of `parent`: the message of another session that this one follows, by its id in the ledger. It may come later. */
  readonly parentElsewhere?: string
  /** user is what a human typed, and nothing else; tool results are tool; everything that a harness injected is system. */
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  /** prompt opens a turn; summary makes a compaction turn; the rest belongs to the turn it follows. */
  readonly kind: MessageKind
  readonly text: string
  readonly timestamp?: number
  /** Its number in another ledger: kept where no message of the session has a higher one. */
  readonly sequence?: number
  /** Whether it opens a turn, according to another ledger. Without it the kind and the record before decide. */
  readonly opens?: boolean
  readonly speaker?: string
  readonly trust: Trust
  readonly model?: string
  /** Who served the model, where the source names it: a turn has that of its last answer. */
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
  /** When it was made, where that is not the time of its record. Null: another ledger holds no time. */
  readonly startedAt?: number | null
  /** From another ledger: its number, and its status while it has no result. */
  readonly number?: number
  readonly status?: string
}

export interface ToolResultPart {
  readonly callId: string
  /** JSON: the content as the source gives it, with everything else it holds of the result. */
  readonly result: string
  readonly isError: boolean
  /** When the tool began and ended, where the source gives it; otherwise the times of the call's and the result's records. Null: another ledger holds no time. */
  readonly startedAt?: number
  readonly completedAt?: number | null
  /** How it ended in the words of another ledger; otherwise `error` or `completed`. */
  readonly status?: string
  /** The subagent session that this call started, as the source names it. */
  readonly childSession?: string
}

/** A record that is no message but is part of the chain of parents: what follows it follows its parent. */
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
 * The source went back: the head of the conversation is `recordId` now (without one: before its first message), and what comes next follows that
 * record. Turns that are not on the path to it become superseded. Needed only where the newest message is not the head.
 */
export interface HeadRecord {
  readonly type: 'head'
  readonly session: string
  readonly recordId?: string
}

/**
 * What another ledger holds of a turn beyond its messages. `at` is a record of the turn. Taken over where this unit added the turn; for any other
 * turn only what is not stored yet.
 */
export interface TurnRecord {
  readonly type: 'turn'
  readonly session: string
  readonly at: string
  /** The other ledger has rules of its own for these: they count also where the turn only grew, and its tokens always. */
  readonly firm?: boolean
  readonly model?: string
  readonly provider?: string
  readonly tokenCount?: number
  readonly timestamp?: number
}

/** A tool call that belongs to no message in another ledger. */
export interface CallRecord {
  readonly type: 'call'
  readonly session: string
  readonly call: ToolCallPart
  readonly result?: ToolResultPart
}

/** `prompt`: a source that only repeats the first prompt; anything that Mnemonic finds itself is better. */
export const TITLE_RANK = { prompt: 1, summary: 2, generated: 3, custom: 4 } as const
export type TitleRank = (typeof TITLE_RANK)[keyof typeof TITLE_RANK]
