/**
 * Writes the records of one unit into the agents ledger, and is the only way into its tables. Duplicates, replacements and continuations are
 * recognised here; turns, heads and counts are derived from the messages alone.
 *
 * The way of one message record: `apply` removes what was forgotten (forgotten-records.ts), opens its session (session-state.ts), reads what is
 * stored of the batch (read-stored.ts), adds each record to the batch (add-message.ts, add-tools.ts) and writes the rows (write-batch.ts).
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
  /** The unit's name in the database. */
  readonly unit?: string
  /** Sessions that this unit gave in earlier runs. */
  readonly own?: readonly string[]
  /** Of `own`, those that other units hold too. */
  readonly shared?: (tx: WriteTx) => Promise<ReadonlySet<string>>
  /** Shared by the units of one run. */
  readonly tombstones?: TombstoneReader
  /** Records that are stored already are asked once more for what an older version did not store. */
  readonly fillsGaps?: boolean
}

export interface AgentsWriter {
  /** Stores a batch. Returns how many messages, tool calls and compactions were new, and how many records were stored already. */
  apply(tx: WriteTx, records: readonly AgentRecord[]): Promise<{ added: number; repeated: number }>
  /** All sessions that this unit has mentioned. */
  sessions(): string[]
  /** Sessions that changed and are not finished: an interrupted run hands them to the next one by `resume`. */
  touched(): string[]
  resume(sessionIds: readonly string[]): void
  /**
   * Whether the unit must be read from its beginning next time: it holds a whole session that was stored before, whose order is only known at
   * its end; or, once it is finished, its order was not that of the ledger.
   */
  startsOver(): boolean
  /** Whether the unit brought something of a session that was forgotten. */
  leavesOutSession(): boolean
  /** Ends the unit: heads, statuses, titles, links between sessions. To be called in the unit's last transaction. */
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

/** After the turns have their status: a prompt of an abandoned branch names nothing. */
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
  if (state.deleted !== undefined) unit.changed.add(state.id) // what is derived from it is removed, or made again
}

/** True where the unit holds the whole of a session that was stored before. */
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

/**
 * An unknown record moves nothing: the newest message stays the head. A record that is stored in another session, because this one begins as a
 * fork of it, is before everything that this session holds itself.
 */
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
