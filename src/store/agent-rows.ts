/** The hot path of the agents ledger: the few statements that run for every record that is read. Only src/ledgers calls the writing ones. */
import type { Insertable, Selectable } from 'kysely'
import type { AgentMessagesTable, AgentToolCallsTable, AgentTurnsTable } from './tables.ts'

export type NewMessage = Insertable<AgentMessagesTable>
export type NewTurn = Insertable<AgentTurnsTable>
export type NewToolCall = Insertable<AgentToolCallsTable>
export type MessageRow = Selectable<AgentMessagesTable>
export type TurnRow = Selectable<AgentTurnsTable>
export type ToolCallRow = Selectable<AgentToolCallsTable>

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

export interface ToolResult {
  readonly id: string
  readonly result_json: string
  readonly status: string
  readonly result_message_id: string
  readonly child_native_id: string | null
  readonly completed_at: number | null
}

export interface AgentRows {
  /** All stored records that the source calls `nativeId`. */
  records(source: string, nativeId: string): Promise<RecordHit[]>
  addRecord(source: string, nativeId: string, hash: string, messageId: string): Promise<void>
  message(id: string): Promise<MessageRow | undefined>
  messageRef(id: string): Promise<MessageRef | undefined>
  /** The message of a session with the highest sequence. */
  lastMessage(sessionId: string): Promise<(MessageRef & { sequence: number }) | undefined>
  addMessage(row: NewMessage): Promise<void>
  mergeMessage(row: Pick<MessageRow, 'id' | 'content' | 'metadata_json' | 'timestamp' | 'model'>): Promise<void>
  turnOfOpener(openerId: string): Promise<TurnRow | undefined>
  addTurn(row: NewTurn): Promise<void>
  /** Takes along the turn's documents, chunks and index rows. */
  deleteTurn(id: string): Promise<void>
  updateTurn(row: Pick<TurnRow, 'id' | 'model' | 'message_count' | 'tool_call_count' | 'token_count'>): Promise<void>
  /** Says that `id` has a child. */
  markParent(id: string): Promise<void>
  /** Points the messages, children and session head that named `from` to `to`, the turn's id now. */
  renameTurn(from: string, to: string): Promise<void>
  addToolCall(row: NewToolCall): Promise<void>
  hasToolCall(id: string): Promise<boolean>
  /** The id of the call that the source knows by `nativeId`: the session's own, else the newest of that source. */
  toolCall(source: string, sessionId: string, nativeId: string): Promise<string | undefined>
  setToolResult(result: ToolResult): Promise<void>
  /** Marks the turns of a session that are not on the way from `headTurnId` to the root as superseded, the others as final. */
  supersede(sessionId: string, headTurnId: string): Promise<void>
}
