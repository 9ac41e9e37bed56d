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
  readonly name: string
  disambiguated: ReadonlyMap<string, string>
  /** By native id, because only one record introduces a session, and its messages span many batches. */
  forgotten: Set<string> | undefined
  leftOut?: boolean
  readonly sessions: Map<string, SessionState>
  readonly changed: Set<string>
  /** Message id → id of its missing parent in another session. */
  readonly waiting: Map<string, string>
  /** Recent records by name, which saves most parent lookups. */
  readonly recent: Map<string, MessageRef>
  /** Fill stored records with data that older versions or other ledgers lacked. */
  readonly fillsGaps: boolean
}

export interface Stored {
  readonly records: ReadonlyMap<string, readonly RecordHit[]>
  readonly messages: ReadonlyMap<string, StoredMessage>
  readonly calls: ReadonlyMap<string, StoredCall>
  /** The newest call per name, by the id it would have if the name were unique. */
  readonly newest: ReadonlyMap<string, string>
  /** Calls without a result that this batch's records answer. */
  readonly open: ReadonlySet<string>
  /** Session → agent, for originals of copied messages. */
  readonly agents: ReadonlyMap<string, string>
  readonly callsElsewhere: ReadonlyMap<string, string>
}

export interface Batch {
  readonly stored: Stored
  readonly messages: Map<string, BatchMessage>
  readonly records: Map<string, NewRecord>
  readonly calls: Map<string, NewToolCall>
  readonly newest: Map<string, string>
  readonly results: ToolResult[]
  readonly titles: TitleRecord[]
  readonly compactions: { message: BatchMessage; record: MessageRecord }[]
  /** Prompts with a second follow-up prompt: their turn is split. */
  readonly splits: Set<string>
  readonly replaced: Set<string>
  readonly callChanges: ToolCallChange[]
  /** Stored calls without a message, and the message that makes them. */
  readonly callOwners: ToolCallOwner[]
  /** The last version per session and id, for records replaced within the batch. */
  readonly versions: ReadonlyMap<string, MessageRecord>
  readonly duplicates: { readonly record: MessageRecord; readonly ref: MessageRef }[]
  readonly turns: TurnRecord[]
  count: number
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

export async function openSessions(unit: UnitState, tx: WriteTx, records: readonly AgentRecord[]): Promise<void> {
  for (const record of records) {
    const native = record.session
    if (native === undefined || unit.sessions.has(native)) continue
    const about = record.type === 'session' ? record : ({ type: 'session', session: native, firstHash: shortHash(16, native) } as const)
    unit.sessions.set(native, await openSession(tx, about, unit))
  }
}

/** Call `openSessions` first. */
export function sessionOf(unit: UnitState, native: string): SessionState {
  return unit.sessions.get(native) as SessionState
}

export function noteRecord(unit: UnitState, batch: Batch, { nativeId, hash }: { nativeId: string; hash: string }, ref: MessageRef): void {
  batch.records.set(recordKey(nativeId, hash), { nativeId, hash, messageId: ref.id })
  noteRecent(unit, nativeId, ref)
}

export function noteRecent(unit: UnitState, name: string, ref: MessageRef): void {
  unit.recent.delete(name)
  unit.recent.set(name, ref)
}

/** Only between batches, so that a batch never loses names it started with. */
export function dropOldest({ recent }: UnitState): void {
  let more = recent.size - RECENT
  for (const name of recent.keys()) {
    if (more-- <= 0) return
    recent.delete(name)
  }
}

/** Prefers this unit's last mention, then the same session, then the first match. */
export function findRecord(unit: UnitState, batch: Batch, name: string, sessionId: string): MessageRef | undefined {
  const near = unit.recent.get(name)
  if (near) return near
  const hits = batch.stored.records.get(name)
  return hits?.find((hit) => hit.session_id === sessionId) ?? hits?.[0]
}
