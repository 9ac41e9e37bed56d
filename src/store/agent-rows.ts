/**
 * The hot path of the agents ledger. A batch of records is looked up at once and written at once: a call for each record would cost more than
 * the work itself. Only src/ledgers calls the methods that write.
 */
import type { Insertable, Selectable } from 'kysely'
import type { AgentMessagesTable, AgentToolCallsTable, AgentTurnsTable } from './tables.ts'

export type MessageRow = Selectable<AgentMessagesTable>
export type TurnRow = Selectable<AgentTurnsTable>
export type ToolCallRow = Selectable<AgentToolCallsTable>
export type NewTurn = Insertable<AgentTurnsTable>

export type NewMessage = MessageRow
export type NewToolCall = Omit<ToolCallRow, 'child_session_id'>

/** The columns of a stored message that are needed to put another one after it. */
export interface MessageRef {
  readonly id: string
  readonly session_id: string
  readonly opener_id: string
  readonly kind: string
  /** Of the first message of its turn that is no note of the harness, up to this one; where there is none, the note's. */
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

/** Columns that only some sources fill. */
export type MessageExtras = Pick<MessageRow, 'checkpoint_id' | 'is_agentic' | 'is_plan_execution' | 'context_json' | 'cursor_rules_json'>

export type StoredCall = Pick<ToolCallRow, 'message_id' | 'tool_name'>

/** A call keeps its `started_at` where the change has none. */
export type ToolCallChange = Pick<ToolCallRow, 'id' | 'tool_name' | 'params_json' | 'started_at'>

/** The message of a call whose own was lost when a damaged file was repaired, and comes again. */
export type ToolCallOwner = Pick<ToolCallRow, 'id' | 'message_id'>

export interface ToolResult {
  readonly id: string
  readonly result_json: string
  readonly status: string
  readonly result_message_id: string | null
  readonly child_native_id: string | null
  readonly started_at: number | null
  readonly completed_at: number | null
  /** 1 where the source says when the call ended. Otherwise `completed_at` is the time of the message, and is used only where it is after the start. */
  readonly own_end: number
}

/** The start or end of a stored call, as a source says it later. */
export interface CallTimes {
  readonly native_id: string
  /** The message that made the call, or the one with its result. */
  readonly message_id: string
  readonly time: number
  /** The time that was stored instead while the source gave none. */
  readonly stand_in: number | null
}

export interface TurnFacts {
  readonly opener_id: string
  readonly model: string | null
  readonly provider: string | null
  readonly token_count: number | null
  readonly timestamp: number | null
  /** 1: they replace what is stored; 0: they fill in only what is missing. */
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
  /** The call of a session that was stored last under each of these native ids: some servers number the calls of each request from one. */
  lastToolCalls(sessionId: string, nativeIds: readonly string[]): Promise<Map<string, string>>
  /** The newest call of the source for each of its native ids, by native id. */
  newestToolCalls(source: string, nativeIds: readonly string[]): Promise<Map<string, string>>
  /** The turns that these messages open, by opener. */
  turnsOfOpeners(ids: readonly string[]): Promise<Map<string, TurnRow>>

  addMessages(rows: readonly NewMessage[]): Promise<void>
  mergeMessage(row: Pick<MessageRow, 'id' | 'content' | 'metadata_json' | 'timestamp' | 'model' | keyof MessageExtras>): Promise<void>
  /** Removes the earlier versions of records that were rewritten. */
  dropRecords(source: string, nativeIds: readonly string[]): Promise<void>
  /** A record that is stored already stays as it is. */
  addRecords(source: string, records: readonly NewRecord[]): Promise<void>
  addToolCalls(rows: readonly NewToolCall[]): Promise<void>
  /** The calls of a rewritten record, as it has them now. */
  changeToolCalls(calls: readonly ToolCallChange[]): Promise<void>
  /** Calls that have a message keep it. */
  ownToolCalls(owners: readonly ToolCallOwner[]): Promise<void>
  setToolResults(results: readonly ToolResult[]): Promise<void>
  /** Sets when a call began, or ended, unless the source's own time is stored already. True when something changed. */
  setCallStart(times: CallTimes): Promise<boolean>
  setCallEnd(times: CallTimes): Promise<boolean>
  /** Facts about a turn that are not in its messages. True when something changed. */
  setTurnFacts(facts: TurnFacts): Promise<boolean>
  /** Marks a message as one that used tools. True when it was not marked before. */
  markAgentic(messageId: string): Promise<boolean>
  addTurns(rows: readonly NewTurn[]): Promise<void>
  /** Removes the turn with its documents, chunks and index rows. */
  deleteTurn(id: string): Promise<void>
  updateTurn(row: Pick<TurnRow, 'id' | 'model' | 'provider' | 'message_count' | 'tool_call_count' | 'token_count'>): Promise<void>
  /** Marks these turns as having a child. */
  markParents(ids: readonly string[]): Promise<void>
  /** Points the messages, children and head of a session that named the turn `from` to `to`, its id now. */
  renameTurn(sessionId: string, from: string, to: string): Promise<void>
  /** Marks the turns of a session that are not on the path from `headTurnId` to the root as superseded, the others as final. */
  supersede(sessionId: string, headTurnId: string): Promise<void>
}
