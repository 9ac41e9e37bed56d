/**
 * The only writer of the agents ledger. Detects duplicates, replacements and continuations; derives turns, heads and counts from messages
 * alone. `apply`: drop forgotten records (forgotten-records.ts), open sessions (session-state.ts), read stored data (read-stored.ts), add
 * records to the batch (add-message.ts, add-tools.ts), write rows (write-batch.ts).
 */
import type { WriteTx } from '../store/store.ts'
import { type TombstoneReader, tombstoneReader } from '../tombstones/tombstones.ts'
import { addMessage } from './add-message.ts'
import { addLooseCall } from './add-tools.ts'
import type { AgentRecord, HeadRecord, LinkRecord, SessionRecord, TitleRecord } from './agent-record.ts'
import { type Batch, dropOldest, findRecord, newBatch, newUnitState, noteRecord, openSessions, sessionOf, type UnitState } from './batch.ts'
import { readDisambiguated } from './disambiguated-sessions.ts'
import { finishSession, type Quiet } from './finish-session.ts'
import { withoutForgottenRecords } from './forgotten-records.ts'
import { linkParents, linkSubagents } from './link-sessions.ts'
import { NAMES_VERSION, nameSession } from './names/name-session.ts'
import { givePendingTitles } from './pending-titles.ts'
import { readStored } from './read-stored.ts'
import { LINK } from './record-names.ts'
import { setTitle, updateSession } from './session-state.ts'
import { applySnapshot } from './snapshot/apply-snapshot.ts'
import { matchUnnamed } from './snapshot/match-unnamed.ts'
import { newSnapshot, noteHeadInSnapshot } from './snapshot/snapshot.ts'
import { writeBatch } from './write-batch.ts'

export interface AgentsWriterOptions extends Quiet {
  readonly source: string
  readonly unit?: string
  /** Sessions from earlier runs of this unit. */
  readonly own?: readonly string[]
  /** Those of `own` that other units contain too. */
  readonly shared?: (tx: WriteTx) => Promise<ReadonlySet<string>>
  readonly tombstones?: TombstoneReader
  /** Fill stored records with data that older versions did not store. */
  readonly fillsGaps?: boolean
}

export interface AgentsWriter {
  /** Counts new messages, calls and compactions, and records already stored. */
  apply(tx: WriteTx, records: readonly AgentRecord[]): Promise<{ added: number; repeated: number }>
  sessions(): string[]
  /** Changed but unfinished sessions; an interrupted run passes them to the next one's `resume`. */
  touched(): string[]
  resume(sessionIds: readonly string[]): void
  /**
   * Whether the next run must reread the unit. True if it contains a whole stored session, whose order is known only at its end. Also true
   * if its order differed from the ledger's.
   */
  startsOver(): boolean
  leavesOutSession(): boolean
  /** Sets heads, statuses, titles and links. Must run in the unit's last transaction. */
  finish(tx: WriteTx): Promise<void>
}

export function agentsWriter(options: AgentsWriterOptions): AgentsWriter {
  const {
    source,
    clock,
    quietMs,
    unit: name = '',
    own = [],
    fillsGaps = false,
    shared = async () => NONE,
    tombstones: readTombstones = tombstoneReader(),
  } = options
  const unit = newUnitState(source, own, { name, fillsGaps })
  let startsOver = false
  let leavesOut = false
  const sessions = () => [...unit.sessions.values()].map((state) => state.id)
  return {
    async apply(tx, given) {
      const tombstones = await readTombstones(tx)
      if (own.length > 0 && unit.sessions.size === 0) unit.disambiguated = await readDisambiguated(tx, unit)
      const kept = tombstones === undefined ? given : withoutForgottenRecords(given, unit, tombstones)
      leavesOut ||= unit.leftOut === true
      await openSessions(unit, tx, kept)
      startsOver = (await beginSnapshots(unit, tx, kept, shared)) || startsOver
      const records = await matchUnnamed(unit, tx, kept)
      const batch = newBatch(await readStored(unit, tx, records), records)
      for (const record of records) add(unit, batch, record)
      await writeBatch(unit, tx, batch)
      dropOldest(unit)
      return { added: batch.count, repeated: batch.repeated }
    },
    sessions,
    touched: () => [...unit.changed],
    resume(ids) {
      for (const id of ids) unit.changed.add(id)
    },
    startsOver: () => startsOver,
    leavesOutSession: () => leavesOut,
    async finish(tx) {
      startsOver = false
      for (const state of unit.sessions.values()) {
        const { changed, differs } = await applySnapshot(tx, state)
        if (changed) unit.changed.add(state.id)
        startsOver ||= differs
      }
      await linkParents(tx, unit.waiting)
      for (const id of unit.changed) await finishSession(tx, id, { clock, quietMs })
      await linkSubagents(tx, source, new Set([...unit.changed, ...sessions()]))
      await nameSessions(tx, unit, readTombstones)
      await givePendingTitles(tx, source, clock)
      unit.changed.clear()
    },
  }
}

const NONE: ReadonlySet<string> = new Set()

/** After turn statuses: a prompt on an abandoned branch must not name the session. */
async function nameSessions(tx: WriteTx, unit: UnitState, readTombstones: TombstoneReader): Promise<void> {
  for (const state of unit.sessions.values()) {
    if (!state.unnamed) continue
    await nameSession(tx, state.id, await readTombstones(tx))
    state.row.names_version = NAMES_VERSION
    state.unnamed = false
  }
}

function add(unit: UnitState, batch: Batch, record: AgentRecord): void {
  if (record.type === 'message') addMessage(unit, batch, record)
  else if (record.type === 'link') addLink(unit, batch, record)
  else if (record.type === 'title') addTitle(unit, batch, record)
  else if (record.type === 'head') setHead(unit, batch, record)
  else if (record.type === 'turn') batch.turns.push(record)
  else if (record.type === 'call') addLooseCall(batch, record, sessionOf(unit, record.session))
  else addSession(unit, record)
}

function addSession(unit: UnitState, record: SessionRecord): void {
  const state = sessionOf(unit, record.session)
  updateSession(state, record)
  if (state.deleted !== undefined) unit.changed.add(state.id) // derived data must be removed or rebuilt
}

async function beginSnapshots(unit: UnitState, tx: WriteTx, records: readonly AgentRecord[], shared: Shared): Promise<boolean> {
  let begun = false
  for (const record of records) {
    if (record.type !== 'session' || !record.whole) continue
    const state = sessionOf(unit, record.session)
    if (state.snapshot !== undefined || state.nextSequence === 0) continue
    const isOwn = unit.own.has(state.id)
    state.snapshot = newSnapshot({ isOwn, isOnly: isOwn && !(await shared(tx)).has(state.id), from: state.nextSequence })
    begun = true
  }
  return begun
}

type Shared = NonNullable<AgentsWriterOptions['shared']>

function addLink(unit: UnitState, batch: Batch, record: LinkRecord): void {
  const state = sessionOf(unit, record.session)
  const parent = record.parent === undefined ? undefined : findRecord(unit, batch, record.parent, state.id)
  const target = parent ?? state.cursor
  if (target !== undefined) noteRecord(unit, batch, { nativeId: record.recordId, hash: LINK }, target)
}

function addTitle(unit: UnitState, batch: Batch, record: TitleRecord): void {
  if (record.session === undefined) {
    batch.titles.push(record)
    return
  }
  const state = sessionOf(unit, record.session)
  if (setTitle(state, record.title, record.rank)) unit.changed.add(state.id) // derived texts contain the title
}

/** Ignores unknown records. A record of another session (a fork's origin) precedes everything in this session. */
function setHead(unit: UnitState, batch: Batch, record: HeadRecord): void {
  const state = sessionOf(unit, record.session)
  if (state.outdated && state.row.head_turn_id !== null) return
  const at = record.recordId === undefined ? undefined : findRecord(unit, batch, record.recordId, state.id)
  if (record.recordId !== undefined && at === undefined) return
  const head = at?.session_id === state.id ? at.id : ''
  state.cursor = at
  if (state.snapshot !== undefined) noteHeadInSnapshot(state.snapshot, at?.id)
  if (state.row.head_message_id === head) return
  state.row.head_message_id = head
  state.dirty = true
  unit.changed.add(state.id)
}
