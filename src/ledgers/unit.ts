/** What the ledger remembers while it reads one unit, and what one batch of it knows and collects before it is written. */
import { shortHash } from '../core/hash.ts'
import type {
  MessageRef,
  NewRecord,
  NewToolCall,
  RecordHit,
  StoredCall,
  StoredMessage,
  ToolCallChange,
  ToolResult,
} from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentRecord, MessageRecord, TitleRecord, TurnRecord } from './agent-record.ts'
import type { DraftMessage } from './draft-message.ts'
import type { KnownNames } from './namesakes.ts'
import { openSession, type SessionState } from './session-state.ts'

export interface Unit extends KnownNames {
  namesakes: ReadonlyMap<string, string>
  /** Forgotten sessions, by native id: a unit tells of a session once, and of its messages for many batches. */
  gone: Set<string> | undefined
  readonly sessions: Map<string, SessionState>
  readonly changed: Set<string>
  /** Messages that follow one of another session that was not there yet, with its id. */
  readonly waiting: Map<string, string>
  /** The newest records by name, so that a parent is rarely looked up in the database. */
  readonly recent: Map<string, MessageRef>
  /** What is stored already takes over what an older version, or another ledger, did not say of it. */
  readonly fills: boolean
}

/** What is stored of what a batch speaks of: looked up for all of its records at once. */
export interface Known {
  /** By the name that the source gives the record. */
  readonly records: ReadonlyMap<string, readonly RecordHit[]>
  readonly messages: ReadonlyMap<string, StoredMessage>
  readonly calls: ReadonlyMap<string, StoredCall>
  /** The newest call of each name that a record answers, by the id it would have if the name were its own. */
  readonly newest: ReadonlyMap<string, string>
  /** Calls without a result, of those that records answer which may leave the stored message as it is. */
  readonly open: ReadonlySet<string>
  /** Calls of other sessions, by native id. */
  readonly callsElsewhere: ReadonlyMap<string, string>
}

export interface Batch {
  readonly known: Known
  readonly drafts: Map<string, DraftMessage>
  readonly records: Map<string, NewRecord>
  readonly calls: Map<string, NewToolCall>
  /** The newest call of each name that this batch made, by the id it would have if the name were its own. */
  readonly newest: Map<string, string>
  /** Results of calls that are stored already. */
  readonly results: ToolResult[]
  readonly titles: TitleRecord[]
  readonly compactions: { draft: DraftMessage; record: MessageRecord }[]
  /** Prompts that were followed by another prompt and now are by a second one. */
  readonly splits: Set<string>
  /** Names of records that were rewritten: their earlier versions are forgotten. */
  readonly outdated: Set<string>
  readonly callChanges: ToolCallChange[]
  /** Of records that are rewritten and stand in the batch more than once: the last version, by session and id. */
  readonly versions: ReadonlyMap<string, MessageRecord>
  /** Records told again, with the message that each of them is. */
  readonly repeats: { readonly record: MessageRecord; readonly ref: MessageRef }[]
  readonly turns: TurnRecord[]
  /** New messages, tool calls and compactions. */
  count: number
  /** Records that an earlier unit, or an earlier place of this one, gave already. */
  repeated: number
}

const RECENT = 4000

export function newUnit(source: string, own: readonly string[], fills = false): Unit {
  const names = { source, own: new Set(own), namesakes: new Map(), gone: undefined }
  return { ...names, sessions: new Map(), changed: new Set(), waiting: new Map(), recent: new Map(), fills }
}

export function newBatch(known: Known, records: readonly AgentRecord[] = []): Batch {
  return {
    known,
    drafts: new Map(),
    records: new Map(),
    calls: new Map(),
    newest: new Map(),
    results: [],
    titles: [],
    compactions: [],
    splits: new Set(),
    outdated: new Set(),
    callChanges: [],
    versions: lastVersions(records),
    repeats: [],
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

/** Finds or makes the sessions that a batch is the first to speak of. */
export async function openSessions(unit: Unit, tx: WriteTx, records: readonly AgentRecord[]): Promise<void> {
  for (const record of records) {
    const native = record.session
    if (native === undefined || unit.sessions.has(native)) continue
    const said = record.type === 'session' ? record : ({ type: 'session', session: native, firstHash: shortHash(16, native) } as const)
    unit.sessions.set(native, await openSession(tx, said, unit))
  }
}

/** A session that `openSessions` has opened. */
export function sessionOf(unit: Unit, native: string): SessionState {
  return unit.sessions.get(native) as SessionState
}

/** Notes that the record `nativeId` is, or stands for, the message `ref`. */
export function noteRecord(unit: Unit, batch: Batch, { nativeId, hash }: { nativeId: string; hash: string }, ref: MessageRef): void {
  batch.records.set(recordKey(nativeId, hash), { nativeId, hash, messageId: ref.id })
  remember(unit, nativeId, ref)
}

export function recordKey(nativeId: string, hash: string): string {
  return `${nativeId}\n${hash}`
}

export function remember(unit: Unit, name: string, ref: MessageRef): void {
  unit.recent.delete(name)
  unit.recent.set(name, ref)
}

/** Between batches, so that within one a name that was at hand when it began stays so. */
export function forgetOldest({ recent }: Unit): void {
  let more = recent.size - RECENT
  for (const name of recent.keys()) {
    if (more-- <= 0) return
    recent.delete(name)
  }
}

/** The message that a record name stands for: the one this unit spoke of last, else the same session's, else the first that has it. */
export function findRecord(unit: Unit, batch: Batch, name: string, sessionId: string): MessageRef | undefined {
  const near = unit.recent.get(name)
  if (near) return near
  const hits = batch.known.records.get(name)
  return hits?.find((hit) => hit.session_id === sessionId) ?? hits?.[0]
}
