/**
 * Writes one unit's records into the agents ledger. The only road into its tables: whatever the source repeats, replays or
 * continues elsewhere is recognised here, and turns, heads and counts follow from the messages alone.
 */
import type { WriteTx } from '../store/store.ts'
import type { AgentRecord, LinkRecord, SessionRecord, TitleRecord } from './agent-record.ts'
import { messageRow, metadataJson } from './draft-message.ts'
import { finishSession, linkSubagents, type Quiet } from './finish-session.ts'
import { addMessage } from './message-writer.ts'
import { openSession, saveSession, setTitle, updateSession } from './session-state.ts'
import { groupByTurn, settleTurnIds, type TurnWork, writeTurns } from './turn-writer.ts'
import { type Batch, findRecord, newBatch, newUnit, noteRecord, sessionOf, type Unit } from './unit.ts'

export interface AgentsWriterOptions extends Quiet {
  readonly source: string
  /** Sessions that this unit gave in earlier runs. */
  readonly own?: readonly string[]
}

export interface AgentsWriter {
  /** Stores a batch. Returns how many messages, tool calls and compactions were new. */
  apply(tx: WriteTx, records: readonly AgentRecord[]): Promise<number>
  /** All sessions this unit has spoken of. */
  sessions(): string[]
  /** Sessions that changed and are not finished: an interrupted run hands them to the next by `resume`. */
  touched(): string[]
  resume(sessionIds: readonly string[]): void
  /** Ends the unit: heads, statuses, titles, links between sessions. Belongs into the unit's last transaction. */
  finish(tx: WriteTx): Promise<void>
}

export function agentsWriter({ source, clock, quietMs, own = [] }: AgentsWriterOptions): AgentsWriter {
  const unit = newUnit(source, own)
  const sessions = () => [...unit.sessions.values()].map((state) => state.id)
  return {
    async apply(tx, records) {
      const batch = newBatch(tx)
      for (const record of records) await add(unit, batch, record)
      await flush(unit, batch)
      return batch.count
    },
    sessions,
    touched: () => [...unit.changed],
    resume(ids) {
      for (const id of ids) unit.changed.add(id)
    },
    async finish(tx) {
      for (const id of unit.changed) await finishSession(tx, id, { clock, quietMs })
      await linkSubagents(tx, { source, clock, sessions: new Set([...unit.changed, ...sessions()]) })
      unit.changed.clear()
    },
  }
}

async function add(unit: Unit, batch: Batch, record: AgentRecord): Promise<void> {
  if (record.type === 'message') return addMessage(unit, batch, record)
  if (record.type === 'link') return addLink(unit, batch, record)
  if (record.type === 'title') return addTitle(unit, batch, record)
  return addSession(unit, batch, record)
}

async function addSession(unit: Unit, { tx }: Batch, record: SessionRecord): Promise<void> {
  const state = unit.sessions.get(record.session) ?? (await openSession(tx, record, unit))
  unit.sessions.set(record.session, state)
  updateSession(state, record)
}

async function addLink(unit: Unit, batch: Batch, record: LinkRecord): Promise<void> {
  const state = await sessionOf(unit, batch.tx, record.session)
  const parent = record.parent === undefined ? undefined : await findRecord(unit, batch.tx, record.parent, state.id)
  const target = parent ?? state.cursor
  if (target !== undefined) noteRecord(unit, batch, { nativeId: record.recordId, hash: 'link' }, target)
}

async function addTitle(unit: Unit, { tx }: Batch, record: TitleRecord): Promise<void> {
  if (record.session !== undefined) {
    const state = await sessionOf(unit, tx, record.session)
    if (setTitle(state, record.title, record.rank)) unit.changed.add(state.id) // the title stands in what is derived
    return
  }
  if (record.leaf === undefined) return
  await tx.db
    .insertInto('agent_pending_titles')
    .values({ source: unit.source, leaf_native_id: record.leaf, title: record.title, title_rank: record.rank })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Writes what a batch collected, in an order that keeps every reference whole. */
async function flush(unit: Unit, batch: Batch): Promise<void> {
  const { tx } = batch
  for (const state of unit.sessions.values()) await saveSession(tx, state)
  const turns = groupByTurn(batch.drafts.values())
  await settleTurnIds(tx, turns.values())
  for (const draft of batch.drafts.values()) {
    if (!draft.stored) await tx.agents.addMessage(messageRow(draft, turns.get(draft.opener_id)?.id ?? draft.opener_id))
    else {
      const { id, timestamp, model } = draft
      await tx.agents.mergeMessage({ id, content: draft.text, metadata_json: metadataJson(draft), timestamp, model })
    }
  }
  for (const record of batch.records.values()) await tx.agents.addRecord(unit.source, record.nativeId, record.hash, record.messageId)
  for (const call of batch.calls.values()) await tx.agents.addToolCall(call)
  await writeTurns(tx, turns)
  await writeCompactions(batch, turns)
}

async function writeCompactions(batch: Batch, turns: ReadonlyMap<string, TurnWork>): Promise<void> {
  for (const { draft, record } of batch.compactions) {
    batch.count += 1
    await batch.tx.db
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
