/** The state that is kept while one unit is read, and what one batch of its records collects before it is written. */
import { shortHash } from '../core/hash.ts'
import type {
  MessageRef,
  NewRecord,
  NewToolCall,
  RecordHit,
  StoredCall,
  StoredMessage,
  ToolCallChange,
  ToolCallOwner,
  ToolResult,
} from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentRecord, MessageRecord, TitleRecord, TurnRecord } from './agent-record.ts'
import type { BatchMessage } from './batch-message.ts'
import type { UnitSessions } from './disambiguated-sessions.ts'
import { recordKey } from './record-names.ts'
import { openSession, type SessionState } from './session-state.ts'

export interface UnitState extends UnitSessions {
  /** Its name in the database; empty if it has none. */
  readonly name: string
  disambiguated: ReadonlyMap<string, string>
  /** Forgotten sessions, by native id: a unit has one record for a session, and its messages in many batches. */
  forgotten: Set<string> | undefined
  /** Something of a forgotten session was left out. */
  leftOut?: boolean
  readonly sessions: Map<string, SessionState>
  readonly changed: Set<string>
  /** Messages that follow a message of another session that is not stored yet: message id → id of the one it follows. */
  readonly waiting: Map<string, string>
  /** The newest records by name, so that a parent is rarely looked up in the database. */
  readonly recent: Map<string, MessageRef>
  /** A stored record takes over what an older version of this program, or another ledger, did not store of it. */
  readonly fillsGaps: boolean
}

/** What the ledger has of the records of a batch. */
export interface Stored {
  /** By the name that the source gives the record. */
  readonly records: ReadonlyMap<string, readonly RecordHit[]>
  readonly messages: ReadonlyMap<string, StoredMessage>
  readonly calls: ReadonlyMap<string, StoredCall>
  /** The newest call of each name that a record brings the result of, by the id that it has if no other call has its name. */
  readonly newest: ReadonlyMap<string, string>
  /** Calls without a result, of those that records answer which may leave the stored message as it is. */
  readonly open: ReadonlySet<string>
  /** Whose the sessions are that hold messages which records are copies of. */
  readonly agents: ReadonlyMap<string, string>
  /** Calls of other sessions, by native id. */
  readonly callsElsewhere: ReadonlyMap<string, string>
}

export interface Batch {
  readonly stored: Stored
  readonly messages: Map<string, BatchMessage>
  readonly records: Map<string, NewRecord>
  readonly calls: Map<string, NewToolCall>
  /** As in `Stored`: the newest call of each name that this batch makes. */
  readonly newest: Map<string, string>
  /** Results of calls that are stored already. */
  readonly results: ToolResult[]
  readonly titles: TitleRecord[]
  readonly compactions: { message: BatchMessage; record: MessageRecord }[]
  /** Prompts that one prompt followed and a second one follows now: their turn is split. */
  readonly splits: Set<string>
  /** Names of records that were replaced: their earlier versions are dropped. */
  readonly replaced: Set<string>
  readonly callChanges: ToolCallChange[]
  /** Stored calls without a message, and the message that makes them. */
  readonly callOwners: ToolCallOwner[]
  /** Of records that replace each other within the batch: the last version, by session and id. */
  readonly versions: ReadonlyMap<string, MessageRecord>
  /** Records that are stored already, with the message that each of them is. */
  readonly duplicates: { readonly record: MessageRecord; readonly ref: MessageRef }[]
  readonly turns: TurnRecord[]
  /** New messages, tool calls and compactions. */
  count: number
  /** Records that are stored already. */
  repeated: number
}

const RECENT = 4000

export function newUnitState(source: string, own: readonly string[], { name = '', fillsGaps = false } = {}): UnitState {
  const sessions = { source, name, own: new Set(own), disambiguated: new Map(), forgotten: undefined }
  return { ...sessions, sessions: new Map(), changed: new Set(), waiting: new Map(), recent: new Map(), fillsGaps }
}

export function newBatch(stored: Stored, records: readonly AgentRecord[] = []): Batch {
  return {
    stored,
    messages: new Map(),
    records: new Map(),
    calls: new Map(),
    newest: new Map(),
    results: [],
    titles: [],
    compactions: [],
    splits: new Set(),
    replaced: new Set(),
    callChanges: [],
    callOwners: [],
    versions: lastVersions(records),
    duplicates: [],
    turns: [],
    count: 0,
    repeated: 0,
  }
}

function lastVersions(records: readonly AgentRecord[]): Map<string, MessageRecord> {
  const seen = new Set<string>()
  const last = new Map<string, MessageRecord>()
  for (const record of records) {
    if (record.type !== 'message' || record.replaces !== true || record.id === undefined) continue
    const key = versionKey(record)
    if (seen.has(key)) last.set(key, record)
    seen.add(key)
  }
  return last
}

export function versionKey({ session, id }: MessageRecord): string {
  return `${session}\n${id}`
}

/** Finds or creates the sessions that this unit has not mentioned before. */
export async function openSessions(unit: UnitState, tx: WriteTx, records: readonly AgentRecord[]): Promise<void> {
  for (const record of records) {
    const native = record.session
    if (native === undefined || unit.sessions.has(native)) continue
    const about = record.type === 'session' ? record : ({ type: 'session', session: native, firstHash: shortHash(16, native) } as const)
    unit.sessions.set(native, await openSession(tx, about, unit))
  }
}

/** A session that `openSessions` has opened. */
export function sessionOf(unit: UnitState, native: string): SessionState {
  return unit.sessions.get(native) as SessionState
}

/** Notes that the record `nativeId` is, or stands for, the message `ref`. */
export function noteRecord(unit: UnitState, batch: Batch, { nativeId, hash }: { nativeId: string; hash: string }, ref: MessageRef): void {
  batch.records.set(recordKey(nativeId, hash), { nativeId, hash, messageId: ref.id })
  noteRecent(unit, nativeId, ref)
}

export function noteRecent(unit: UnitState, name: string, ref: MessageRef): void {
  unit.recent.delete(name)
  unit.recent.set(name, ref)
}

/** Called between batches, so that within a batch a name that was at hand at its beginning stays at hand. */
export function dropOldest({ recent }: UnitState): void {
  let more = recent.size - RECENT
  for (const name of recent.keys()) {
    if (more-- <= 0) return
    recent.delete(name)
  }
}

/** The message that a record name stands for: the one this unit mentioned last, otherwise the same session's, otherwise the first that has it. */
export function findRecord(unit: UnitState, batch: Batch, name: string, sessionId: string): MessageRef | undefined {
  const near = unit.recent.get(name)
  if (near) return near
  const hits = batch.stored.records.get(name)
  return hits?.find((hit) => hit.session_id === sessionId) ?? hits?.[0]
}
