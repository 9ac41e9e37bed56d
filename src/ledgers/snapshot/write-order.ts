/** Rebuilds changed turns and deletes their derived data in the same transaction. */
import type { NewTurn, TurnRow } from '../../store/agent-rows.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import { turnOfMessages } from '../rebuild-turn.ts'
import type { Link, LinkedMessage } from './reorder.ts'

export interface NewOrder {
  readonly rows: readonly LinkedMessage[]
  readonly links: ReadonlyMap<string, Link>
  readonly path: ReadonlySet<string>
}

export async function writeOrder(tx: WriteTx, session: string, work: NewOrder): Promise<void> {
  const stored = await tx.db.selectFrom('agent_turns').selectAll().where('session_id', '=', session).orderBy('sequence').execute()
  const turns = new Map(stored.map((turn) => [turn.opener_id, turn]))
  const was = grouped(work.rows, (row) => row.opener_id)
  const ordered = work.rows.toSorted((a, b) => sequenceOf(work, a.id) - sequenceOf(work, b.id))
  const now = grouped(ordered, (row) => (work.links.get(row.id) as Link).opener_id)
  const kept = keptTurns(turns, was, now)
  const gone = stored.filter((turn) => !kept.has(turn.opener_id))
  await moveMessages(tx, work)
  const made: NewTurn[] = []
  for (const [opener, ids] of now) if (!kept.has(opener)) made.push(await turnOfMessages(tx, session, ids, turns.get(opener)))
  const idOf = new Map([...kept.values(), ...made].map((turn) => [turn.opener_id, turn.id]))
  for (const turn of gone) await tx.agents.deleteTurn(turn.id)
  const parents = await parentTurns(tx, work, idOf)
  const positionOf = (opener: string): Position => ({
    parent_turn_id: parents.get(opener) ?? null,
    sequence: sequenceOf(work, opener),
    status: work.path.has(opener) ? 'final' : 'superseded',
  })
  await tx.agents.addTurns(made.map((turn) => ({ ...turn, ...positionOf(turn.opener_id) })))
  for (const turn of kept.values()) await moveTurn(tx, turn, positionOf(turn.opener_id))
  for (const turn of made) await nameTurn(tx, turn, now.get(turn.opener_id) as string[])
  await moveOtherSessions(tx, session, gone, work, idOf)
  await countChildren(tx, session)
}

function sequenceOf({ links }: NewOrder, id: string): number {
  return links.get(id)?.sequence ?? 0
}

function grouped(rows: readonly LinkedMessage[], openerOf: (row: LinkedMessage) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const row of rows) {
    const opener = openerOf(row)
    const group = groups.get(opener)
    if (group === undefined) groups.set(opener, [row.id])
    else group.push(row.id)
  }
  return groups
}

/** Unchanged turns. One that moved ahead of another is rebuilt, so that its chunks are renumbered. */
function keptTurns(
  turns: ReadonlyMap<string, TurnRow>,
  was: ReadonlyMap<string, readonly string[]>,
  now: ReadonlyMap<string, readonly string[]>,
): Map<string, TurnRow> {
  const kept = new Map<string, TurnRow>()
  let last = -1
  for (const [opener, ids] of now) {
    const turn = turns.get(opener)
    const before = was.get(opener) ?? []
    if (turn === undefined || turn.sequence < last || before.length !== ids.length || !ids.every((id, i) => before[i] === id)) continue
    last = turn.sequence
    kept.set(opener, turn)
  }
  return kept
}

async function moveMessages(tx: WriteTx, { rows, links }: NewOrder): Promise<void> {
  for (const { id, parent_id, opener_id, sequence } of rows) {
    const link = links.get(id) as Link
    if (link.parent_id === parent_id && link.opener_id === opener_id && link.sequence === sequence) continue
    await moveMessage(tx.db, { id, ...link })
  }
}

const moveMessage = compiledOnce((db, { id, parent_id, opener_id, sequence }: Link & { id: string }) =>
  db.updateTable('agent_messages').set({ parent_id, opener_id, sequence }).where('id', '=', id),
)

/** By opener; the parent may be in another session. */
async function parentTurns(tx: WriteTx, { links }: NewOrder, idOf: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const parents = new Map<string, string>()
  for (const opener of idOf.keys()) {
    const parent = links.get(opener)?.parent_id ?? null
    if (parent === null) continue
    const near = links.get(parent)
    const found = near === undefined ? await turnHolding(tx, parent) : idOf.get(near.opener_id)
    if (found !== undefined) parents.set(opener, found)
  }
  return parents
}

async function turnHolding(tx: WriteTx, message: string): Promise<string | undefined> {
  const opener = (await tx.agents.messages([message])).get(message)?.opener_id
  return opener === undefined ? undefined : (await tx.agents.turnsOfOpeners([opener])).get(opener)?.id
}

type Position = Pick<TurnRow, 'parent_turn_id' | 'sequence' | 'status'>

async function moveTurn(tx: WriteTx, turn: TurnRow, position: Position): Promise<void> {
  const status = turn.status === 'open' && position.status === 'final' ? 'open' : position.status
  const { parent_turn_id, sequence } = position
  const same = turn.parent_turn_id === parent_turn_id && turn.sequence === sequence && turn.status === status
  if (!same) await tx.db.updateTable('agent_turns').set({ parent_turn_id, sequence, status }).where('id', '=', turn.id).execute()
}

async function nameTurn(tx: WriteTx, { id, opener_id, turn_type }: NewTurn, messages: readonly string[]): Promise<void> {
  for (const message of messages) await setTurn(tx.db, { id: message, turn: id })
  if (turn_type === 'compaction') await tx.db.updateTable('agent_compactions').set({ turn_id: id }).where('id', '=', opener_id).execute()
}

const setTurn = compiledOnce((db, { id, turn }: { id: string; turn: string }) =>
  db.updateTable('agent_messages').set({ turn_id: turn }).where('id', '=', id),
)

async function moveOtherSessions(
  tx: WriteTx,
  session: string,
  gone: readonly TurnRow[],
  { links }: NewOrder,
  idOf: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { id } of gone) {
    const children = await tx.db
      .selectFrom('agent_turns as t')
      .innerJoin('agent_messages as m', 'm.id', 't.opener_id')
      .select(['t.id', 'm.parent_id'])
      .where('t.parent_turn_id', '=', id)
      .where('t.session_id', '<>', session)
      .execute()
    for (const child of children) {
      const opener = child.parent_id === null ? undefined : links.get(child.parent_id)?.opener_id
      const parent = (opener === undefined ? undefined : idOf.get(opener)) ?? null
      await tx.db.updateTable('agent_turns').set({ parent_turn_id: parent }).where('id', '=', child.id).execute()
      if (parent !== null) await tx.agents.markParents([parent])
    }
  }
}

async function countChildren(tx: WriteTx, session: string): Promise<void> {
  await setParents(tx.db, { session })
  await setChildless(tx.db, { session })
}

const setParents = compiledOnce((db, { session }: { session: string }) =>
  db
    .updateTable('agent_turns')
    .set({ has_children: 1 })
    .where('session_id', '=', session)
    .where('has_children', '=', 0)
    .where((eb) => eb.exists(eb.selectFrom('agent_turns as c').select('c.id').whereRef('c.parent_turn_id', '=', 'agent_turns.id'))),
)
const setChildless = compiledOnce((db, { session }: { session: string }) =>
  db
    .updateTable('agent_turns')
    .set({ has_children: 0 })
    .where('session_id', '=', session)
    .where('has_children', '=', 1)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('agent_turns as c').select('c.id').whereRef('c.parent_turn_id', '=', 'agent_turns.id')))),
)
