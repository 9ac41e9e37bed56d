/**
 * Writes one unit's records into the agents ledger. The only road into its tables: whatever the source repeats, replays or
 * continues elsewhere is recognised here, and turns, heads and counts follow from the messages alone.
 */
import type { NewMessage } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import { type TombstoneReader, tombstoneReader } from '../tombstones/tombstones.ts'
import type { AgentRecord, HeadRecord, LinkRecord, SessionRecord, TitleRecord } from './agent-record.ts'
import { messageRow, metadataJson } from './draft-message.ts'
import { writeFacts } from './fill-in.ts'
import { finishSession, type Quiet } from './finish-session.ts'
import { followTelling } from './follow-telling.ts'
import { withoutForgottenRecords } from './forgotten-records.ts'
import { knownOrdinals } from './known-ordinals.ts'
import { linkParents } from './link-parents.ts'
import { linkSubagents } from './link-subagents.ts'
import { lookUp } from './look-up.ts'
import { addMessage } from './message-writer.ts'
import { namesakesOf } from './namesakes.ts'
import { giveTitles } from './pending-titles.ts'
import { saveSession, setTitle, updateSession } from './session-state.ts'
import { splitTurn } from './split-turn.ts'
import { beginTelling, tellHead } from './telling.ts'
import { addLooseCall } from './tool-writer.ts'
import { type TurnWork, turnsOf, writeTurns } from './turn-writer.ts'
import { type Batch, findRecord, forgetOldest, newBatch, newUnit, noteRecord, openSessions, sessionOf, type Unit } from './unit.ts'

export interface AgentsWriterOptions extends Quiet {
  readonly source: string
  /** Sessions that this unit gave in earlier runs. */
  readonly own?: readonly string[]
  /** Of `own`, those that other units tell too. */
  readonly shared?: (tx: WriteTx) => Promise<ReadonlySet<string>>
  /** Shared by the units of one run. */
  readonly tombstones?: TombstoneReader
  /** Records that are stored already are asked once more what an older version did not store. */
  readonly fills?: boolean
}

export interface AgentsWriter {
  /** Stores a batch. Says how many messages, tool calls and compactions were new, and how many records were known already. */
  apply(tx: WriteTx, records: readonly AgentRecord[]): Promise<{ added: number; repeated: number }>
  /** All sessions this unit has spoken of. */
  sessions(): string[]
  /** Sessions that changed and are not finished: an interrupted run hands them to the next by `resume`. */
  touched(): string[]
  resume(sessionIds: readonly string[]): void
  /**
   * Whether the unit must be read from its beginning next time: it tells a session anew, in an order that is only known as a whole; or,
   * once it is finished, its order was not that of the ledger.
   */
  startsOver(): boolean
  /** Ends the unit: heads, statuses, titles, links between sessions. Belongs into the unit's last transaction. */
  finish(tx: WriteTx): Promise<void>
}

export function agentsWriter(options: AgentsWriterOptions): AgentsWriter {
  const {
    source,
    clock,
    quietMs,
    own = [],
    fills = false,
    shared = async () => NONE,
    tombstones: readTombstones = tombstoneReader(),
  } = options
  const unit = newUnit(source, own, fills)
  let startsOver = false
  const sessions = () => [...unit.sessions.values()].map((state) => state.id)
  return {
    async apply(tx, given) {
      const tombstones = await readTombstones(tx)
      if (own.length > 0 && unit.sessions.size === 0) unit.namesakes = await namesakesOf(tx, unit)
      const kept = tombstones === undefined ? given : withoutForgottenRecords(given, unit, tombstones)
      await openSessions(unit, tx, kept)
      startsOver = (await beginTellings(unit, tx, kept, shared)) || startsOver
      const records = await knownOrdinals(unit, tx, kept)
      const batch = newBatch(await lookUp(unit, tx, records), records)
      for (const record of records) add(unit, batch, record)
      await flush(unit, tx, batch)
      forgetOldest(unit)
      return { added: batch.count, repeated: batch.repeated }
    },
    sessions,
    touched: () => [...unit.changed],
    resume(ids) {
      for (const id of ids) unit.changed.add(id)
    },
    startsOver: () => startsOver,
    async finish(tx) {
      startsOver = false
      for (const state of unit.sessions.values()) {
        const { changed, differs } = await followTelling(tx, state)
        if (changed) unit.changed.add(state.id)
        startsOver ||= differs
      }
      await linkParents(tx, unit.waiting)
      for (const id of unit.changed) await finishSession(tx, id, { clock, quietMs })
      await linkSubagents(tx, source, new Set([...unit.changed, ...sessions()]))
      await giveTitles(tx, source, clock)
      unit.changed.clear()
    },
  }
}

const NONE: ReadonlySet<string> = new Set()

function add(unit: Unit, batch: Batch, record: AgentRecord): void {
  if (record.type === 'message') addMessage(unit, batch, record)
  else if (record.type === 'link') addLink(unit, batch, record)
  else if (record.type === 'title') addTitle(unit, batch, record)
  else if (record.type === 'head') setHead(unit, batch, record)
  else if (record.type === 'turn') batch.turns.push(record)
  else if (record.type === 'call') addLooseCall(batch, record, sessionOf(unit, record.session))
  else addSession(unit, record)
}

function addSession(unit: Unit, record: SessionRecord): void {
  const state = sessionOf(unit, record.session)
  updateSession(state, record)
  if (state.deleted !== undefined) unit.changed.add(state.id) // what is derived goes, or comes back
}

/** True where a session that was there before is told from its beginning. */
async function beginTellings(unit: Unit, tx: WriteTx, records: readonly AgentRecord[], shared: Shared): Promise<boolean> {
  let begun = false
  for (const record of records) {
    if (record.type !== 'session' || !record.whole) continue
    const state = sessionOf(unit, record.session)
    if (state.telling !== undefined || state.nextSequence === 0) continue
    const again = unit.own.has(state.id)
    state.telling = beginTelling({ again, alone: again && !(await shared(tx)).has(state.id), from: state.nextSequence })
    begun = true
  }
  return begun
}

type Shared = NonNullable<AgentsWriterOptions['shared']>

function addLink(unit: Unit, batch: Batch, record: LinkRecord): void {
  const state = sessionOf(unit, record.session)
  const parent = record.parent === undefined ? undefined : findRecord(unit, batch, record.parent, state.id)
  const target = parent ?? state.cursor
  if (target !== undefined) noteRecord(unit, batch, { nativeId: record.recordId, hash: 'link' }, target)
}

function addTitle(unit: Unit, batch: Batch, record: TitleRecord): void {
  if (record.session === undefined) {
    batch.titles.push(record)
    return
  }
  const state = sessionOf(unit, record.session)
  if (setTitle(state, record.title, record.rank)) unit.changed.add(state.id) // the title stands in what is derived
}

/**
 * A record that is nowhere moves nothing: the newest message stays the head. One that another session told first, as the beginning of a
 * fork, stands before all that this session said itself.
 */
function setHead(unit: Unit, batch: Batch, record: HeadRecord): void {
  const state = sessionOf(unit, record.session)
  if (state.outdated && state.row.head_turn_id !== null) return
  const at = record.recordId === undefined ? undefined : findRecord(unit, batch, record.recordId, state.id)
  if (record.recordId !== undefined && at === undefined) return
  const head = at?.session_id === state.id ? at.id : ''
  state.cursor = at
  if (state.telling !== undefined) tellHead(state.telling, at?.id)
  if (state.row.head_message_id === head) return
  state.row.head_message_id = head
  state.dirty = true
  unit.changed.add(state.id)
}

/** Writes what a batch collected, in an order that keeps every reference whole. */
async function flush(unit: Unit, tx: WriteTx, batch: Batch): Promise<void> {
  for (const state of unit.sessions.values()) if (state.dirty) await saveSession(tx, state)
  const turns = await turnsOf(tx, batch.drafts.values())
  const fresh: NewMessage[] = []
  for (const draft of batch.drafts.values()) {
    const { id, text: content, timestamp, model } = draft
    if (draft.stored) await tx.agents.mergeMessage({ id, content, metadata_json: metadataJson(draft), timestamp, model, ...draft.extras })
    else fresh.push(messageRow(draft, turns.get(draft.opener_id)?.id ?? draft.opener_id))
  }
  await tx.agents.addMessages(fresh)
  await tx.agents.dropRecords(unit.source, [...batch.outdated])
  await tx.agents.addRecords(unit.source, [...batch.records.values()])
  await tx.agents.addToolCalls([...batch.calls.values()])
  await tx.agents.changeToolCalls(batch.callChanges)
  await tx.agents.setToolResults(batch.results)
  await writeTurns(tx, turns)
  await writeFacts(unit, tx, batch, turns)
  await writeCompactions(tx, batch, turns)
  await writeTitles(tx, unit.source, batch.titles)
  for (const prompt of batch.splits) await splitTurn(tx, prompt)
  if (batch.splits.size > 0) unit.recent.clear() // what it says of turns may be old now
}

/** Titles of the session that holds a message wait until that message is known. */
async function writeTitles(tx: WriteTx, source: string, titles: readonly TitleRecord[]): Promise<void> {
  for (const { leaf, title, rank } of titles) {
    if (leaf === undefined) continue
    await tx.db
      .insertInto('agent_pending_titles')
      .values({ source, leaf_native_id: leaf, title, title_rank: rank })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function writeCompactions(tx: WriteTx, batch: Batch, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  for (const { draft, record } of batch.compactions) {
    batch.count += 1
    await tx.db
      .insertInto('agent_compactions')
      .values({
        id: draft.id,
        session_id: draft.session_id,
        turn_id: turns.get(draft.opener_id)?.id ?? draft.id,
        summary: draft.text,
        trigger: record.compaction?.trigger ?? null,
        tokens_before: record.compaction?.tokensBefore ?? null,
        timestamp: draft.timestamp,
        metadata_json: record.compaction?.metadata === undefined ? null : JSON.stringify(record.compaction.metadata),
      })
      .execute()
  }
}
