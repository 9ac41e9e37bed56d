/** Hot path of the agents ledger, batched: one call per record would cost more than the work. Only src/ledgers may write. */
import type { Insertable, Selectable } from 'kysely'
import type { AgentMessagesTable, AgentToolCallsTable, AgentTurnsTable } from './tables.ts'

export type MessageRow = Selectable<AgentMessagesTable>
export type TurnRow = Selectable<AgentTurnsTable>
export type ToolCallRow = Selectable<AgentToolCallsTable>
export type NewTurn = Insertable<AgentTurnsTable>

export type NewMessage = MessageRow
export type NewToolCall = Omit<ToolCallRow, 'child_session_id'>

export interface MessageRef {
  readonly id: string
  readonly session_id: string
  readonly opener_id: string
  readonly kind: string
  /** Kind of the turn's first message that is not a harness note; the note's own kind if there is none. */
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

export type MessageExtras = Pick<MessageRow, 'checkpoint_id' | 'is_agentic' | 'is_plan_execution' | 'context_json' | 'cursor_rules_json'>

export type StoredCall = Pick<ToolCallRow, 'message_id' | 'tool_name'>

/** A null `started_at` keeps the stored value. */
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
  /** 1 if the source states when the call ended. Otherwise `completed_at` is the message time, used only if it is after the start. */
  readonly own_end: number
}

export interface CallTimes {
  readonly native_id: string
  readonly message_id: string
  readonly time: number
  /** Time of the record. A stored call time equal to it is only a fallback. */
  readonly stand_in: number | null
}

export interface TurnFacts {
  readonly opener_id: string
  readonly model: string | null
  readonly provider: string | null
  readonly token_count: number | null
  readonly timestamp: number | null
  /** 1 overwrites stored values; 0 fills only missing ones. */
  readonly over: number
}

export interface AgentRows {
  records(source: string, nativeIds: readonly string[]): Promise<Map<string, RecordHit[]>>
  messages(ids: readonly string[]): Promise<Map<string, StoredMessage>>
  lastMessage(sessionId: string): Promise<(MessageRef & { sequence: number }) | undefined>
  toolCalls(ids: readonly string[]): Promise<Map<string, StoredCall>>
  /** The latest call per native id: some servers restart numbering with each request. */
  lastToolCalls(sessionId: string, nativeIds: readonly string[]): Promise<Map<string, string>>
  newestToolCalls(source: string, nativeIds: readonly string[]): Promise<Map<string, string>>
  turnsOfOpeners(ids: readonly string[]): Promise<Map<string, TurnRow>>

  addMessages(rows: readonly NewMessage[]): Promise<void>
  mergeMessage(row: Pick<MessageRow, 'id' | 'content' | 'metadata_json' | 'timestamp' | 'model' | keyof MessageExtras>): Promise<void>
  dropRecords(source: string, nativeIds: readonly string[]): Promise<void>
  /** Keeps existing rows. */
  addRecords(source: string, records: readonly NewRecord[]): Promise<void>
  addToolCalls(rows: readonly NewToolCall[]): Promise<void>
  changeToolCalls(calls: readonly ToolCallChange[]): Promise<void>
  /** Calls that have a message keep it. */
  ownToolCalls(owners: readonly ToolCallOwner[]): Promise<void>
  setToolResults(results: readonly ToolResult[]): Promise<void>
  /** Never overwrites a time from the source. Returns whether something changed. */
  setCallStart(times: CallTimes): Promise<boolean>
  setCallEnd(times: CallTimes): Promise<boolean>
  setTurnFacts(facts: TurnFacts): Promise<boolean>
  markAgentic(messageId: string): Promise<boolean>
  addTurns(rows: readonly NewTurn[]): Promise<void>
  deleteTurn(id: string): Promise<void>
  updateTurn(row: Pick<TurnRow, 'id' | 'model' | 'provider' | 'message_count' | 'tool_call_count' | 'token_count'>): Promise<void>
  markParents(ids: readonly string[]): Promise<void>
  renameTurn(sessionId: string, from: string, to: string): Promise<void>
  /** Marks turns off the path from `headTurnId` to the root as superseded, the others as final. */
  supersede(sessionId: string, headTurnId: string): Promise<void>
}
