/**
 * The hot path of the agents ledger. What a batch of records needs to know is asked for at once, and what it gives is written at
 * once: a call for each record would cost more than the work itself. Only src/ledgers calls the writing ones.
 */
import type { Insertable, Selectable } from 'kysely'
import type { AgentMessagesTable, AgentToolCallsTable, AgentTurnsTable } from './tables.ts'

export type MessageRow = Selectable<AgentMessagesTable>
export type TurnRow = Selectable<AgentTurnsTable>
export type ToolCallRow = Selectable<AgentToolCallsTable>
export type NewTurn = Insertable<AgentTurnsTable>

export type NewMessage = MessageRow
export type NewToolCall = Omit<ToolCallRow, 'child_session_id'>

/** A stored message, as far as placing another one after it needs to know. */
export interface MessageRef {
  readonly id: string
  readonly session_id: string
  readonly opener_id: string
  readonly kind: string
  readonly opener_kind: string
}

export interface RecordHit extends MessageRef {
  readonly hash: string
}

export type StoredMessage = MessageRow & MessageRef

export interface NewRecord {
  readonly nativeId: string
  readonly hash: string
  readonly messageId: string
}

/** What only some sources say of a message. */
export type MessageExtras = Pick<MessageRow, 'checkpoint_id' | 'is_agentic' | 'is_plan_execution' | 'context_json' | 'cursor_rules_json'>

export type StoredCall = Pick<ToolCallRow, 'message_id' | 'tool_name'>

/** Without a time of its own a call keeps the one it has. */
export type ToolCallChange = Pick<ToolCallRow, 'id' | 'tool_name' | 'params_json' | 'started_at'>

export interface ToolResult {
  readonly id: string
  readonly result_json: string
  readonly status: string
  readonly result_message_id: string | null
  readonly child_native_id: string | null
  readonly started_at: number | null
  readonly completed_at: number | null
  /** 1 where the source says when it ended: else that is the time of the message, and counts only behind the beginning. */
  readonly own_end: number
}

/** What a source says of a stored call's times, with those that stand in for them where it says nothing. */
export interface CallTimes {
  readonly native_id: string
  /** The message that made the call, or that told its result. */
  readonly message_id: string
  readonly time: number
  /** Of the record that tells of it. */
  readonly stand_in: number | null
}

export interface TurnFacts {
  readonly opener_id: string
  readonly model: string | null
  readonly provider: string | null
  readonly token_count: number | null
  readonly timestamp: number | null
  /** 1: these count; 0: only where nothing is known. */
  readonly over: number
}

export interface AgentRows {
  /** The stored records that the source calls by these names, by name. */
  records(source: string, nativeIds: readonly string[]): Promise<Map<string, RecordHit[]>>
  /** Those of these messages that are stored, by id. */
  messages(ids: readonly string[]): Promise<Map<string, StoredMessage>>
  /** The message of a session with the highest sequence. */
  lastMessage(sessionId: string): Promise<(MessageRef & { sequence: number }) | undefined>
  /** Those of these calls that are stored, by id. */
  toolCalls(ids: readonly string[]): Promise<Map<string, StoredCall>>
  /** The call of a session that was stored last under each of these native ids: some servers number the calls of each request anew. */
  lastToolCalls(sessionId: string, nativeIds: readonly string[]): Promise<Map<string, string>>
  /** The newest call of the source for each of its native ids, by native id. */
  newestToolCalls(source: string, nativeIds: readonly string[]): Promise<Map<string, string>>
  /** The turns that these messages open, by opener. */
  turnsOfOpeners(ids: readonly string[]): Promise<Map<string, TurnRow>>

  addMessages(rows: readonly NewMessage[]): Promise<void>
  mergeMessage(row: Pick<MessageRow, 'id' | 'content' | 'metadata_json' | 'timestamp' | 'model' | keyof MessageExtras>): Promise<void>
  /** Forgets the versions that these records had before they were rewritten. */
  dropRecords(source: string, nativeIds: readonly string[]): Promise<void>
  /** A record that is stored already stays as it is. */
  addRecords(source: string, records: readonly NewRecord[]): Promise<void>
  addToolCalls(rows: readonly NewToolCall[]): Promise<void>
  /** What a rewritten record says of its calls now. */
  changeToolCalls(calls: readonly ToolCallChange[]): Promise<void>
  setToolResults(results: readonly ToolResult[]): Promise<void>
  /** When a call began, or ended, where what is stored only stood in for it. True when that was news. */
  setCallStart(times: CallTimes): Promise<boolean>
  setCallEnd(times: CallTimes): Promise<boolean>
  /** What is said of a turn beyond its messages. True when something of it was news. */
  setTurnFacts(facts: TurnFacts): Promise<boolean>
  /** Says that a message used tools. True when that was news. */
  markAgentic(messageId: string): Promise<boolean>
  addTurns(rows: readonly NewTurn[]): Promise<void>
  /** Takes along the turn's documents, chunks and index rows. */
  deleteTurn(id: string): Promise<void>
  updateTurn(row: Pick<TurnRow, 'id' | 'model' | 'provider' | 'message_count' | 'tool_call_count' | 'token_count'>): Promise<void>
  /** Says that these turns have a child. */
  markParents(ids: readonly string[]): Promise<void>
  /** Points the messages, children and head of a session that named the turn `from` to `to`, its id now. */
  renameTurn(sessionId: string, from: string, to: string): Promise<void>
  /** Marks the turns of a session that are not on the way from `headTurnId` to the root as superseded, the others as final. */
  supersede(sessionId: string, headTurnId: string): Promise<void>
}
