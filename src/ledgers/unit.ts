/** What the ledger remembers while it reads one unit, and what one batch of it collects before it is written. */
import { shortHash } from '../core/hash.ts'
import type { MessageRef, NewToolCall } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { MessageRecord } from './agent-record.ts'
import type { DraftMessage } from './draft-message.ts'
import { openSession, type SessionState } from './session-state.ts'

export interface Unit {
  readonly source: string
  /** Session ids this unit gave in earlier runs. */
  readonly own: ReadonlySet<string>
  readonly sessions: Map<string, SessionState>
  readonly changed: Set<string>
  /** The newest records by name, so that a parent is rarely looked up in the database. */
  readonly recent: Map<string, MessageRef>
}

export interface Batch {
  readonly tx: WriteTx
  readonly drafts: Map<string, DraftMessage>
  readonly records: Map<string, { nativeId: string; hash: string; messageId: string }>
  readonly calls: Map<string, NewToolCall>
  readonly compactions: { draft: DraftMessage; record: MessageRecord }[]
  /** New messages, tool calls and compactions. */
  count: number
}

const RECENT = 4000

export function newUnit(source: string, own: readonly string[]): Unit {
  return { source, own: new Set(own), sessions: new Map(), changed: new Set(), recent: new Map() }
}

export function newBatch(tx: WriteTx): Batch {
  return { tx, drafts: new Map(), records: new Map(), calls: new Map(), compactions: [], count: 0 }
}

export async function sessionOf(unit: Unit, tx: WriteTx, native: string): Promise<SessionState> {
  const known = unit.sessions.get(native)
  if (known) return known
  const state = await openSession(tx, { type: 'session', session: native, firstHash: shortHash(16, native) }, unit)
  unit.sessions.set(native, state)
  return state
}

/** Notes that the record `nativeId` is, or stands for, the message `ref`. */
export function noteRecord(unit: Unit, batch: Batch, record: { nativeId: string; hash: string }, ref: MessageRef): void {
  batch.records.set(`${record.nativeId}\n${record.hash}`, { ...record, messageId: ref.id })
  remember(unit, record.nativeId, ref)
}

export function remember(unit: Unit, name: string, ref: MessageRef): void {
  unit.recent.delete(name)
  unit.recent.set(name, ref)
  if (unit.recent.size > RECENT) unit.recent.delete(unit.recent.keys().next().value as string)
}

/** The stored message that a record name stands for: the same session's first, else the first that has it. */
export async function findRecord(unit: Unit, tx: WriteTx, name: string, sessionId: string): Promise<MessageRef | undefined> {
  const near = unit.recent.get(name)
  if (near) return near
  const hits = await tx.agents.records(unit.source, name)
  return hits.find((hit) => hit.session_id === sessionId) ?? hits[0]
}
