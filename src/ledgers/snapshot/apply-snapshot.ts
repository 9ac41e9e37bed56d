/** Writes only differences. */
import type { WriteTx } from '../../store/store.ts'
import { awaitName, type SessionState } from '../session-state.ts'
import { type LinkedMessage, linksFor } from './reorder.ts'
import { currentOrder } from './snapshot.ts'
import { writeOrder } from './write-order.ts'

export interface Outcome {
  readonly changed: boolean
  /** The unit differs from the current path, so later appends may not simply follow. */
  readonly differs: boolean
}

const UNTOUCHED: Outcome = { changed: false, differs: false }

export async function applySnapshot(tx: WriteTx, state: SessionState): Promise<Outcome> {
  const { snapshot, id } = state
  if (!snapshot?.isLinear || state.outdated || snapshot.ids.length === 0) return UNTOUCHED
  const rows = await linkedMessages(tx, id)
  const own = new Set(rows.map((row) => row.id))
  const isAlone = snapshot.isOwn && snapshot.isOnly
  const isWhole = snapshot.ids.every((one) => own.has(one))
  // A session that starts in another one continues it; leave it alone unless only this unit contains it.
  if (!isWhole && !isAlone) return UNTOUCHED
  const current = rows.filter((row) => row.status !== 'superseded' && !snapshot.leftBehind.has(row.id)).map((row) => row.id)
  const before = isAlone ? current : rows.filter((row) => row.status !== 'superseded' && row.sequence < snapshot.from).map((row) => row.id)
  const held = snapshot.ids.filter((one) => own.has(one))
  // A new unit that only appends is already in order.
  if (!snapshot.isOwn && !isInterleaved(held, new Set(before))) return UNTOUCHED
  const now = currentOrder({ ...snapshot, ids: held }, before)
  const differs = snapshot.isOwn && (!isSame(now, held) || now.length < rows.length)
  if (now.length === 0 || isSame(now, current)) return { changed: false, differs }
  // Includes other sessions' messages if the unit's own order counts.
  const order = isSame(now, held) ? snapshot.ids : now
  const links = linksFor(rows, order, id)
  await writeOrder(tx, id, { rows, links, path: new Set(now) })
  await moveHead(tx, state, { links, head: now.at(-1) as string })
  awaitName(state) // the first prompt may have changed
  return { changed: true, differs: true }
}

function isInterleaved(ids: readonly string[], known: ReadonlySet<string>): boolean {
  const fresh = ids.findIndex((id) => !known.has(id))
  return fresh !== -1 && ids.slice(fresh).some((id) => known.has(id))
}

export async function linkedMessages(tx: WriteTx, session: string): Promise<LinkedMessage[]> {
  return tx.db
    .selectFrom('agent_messages as m')
    .leftJoin('agent_turns as t', 't.opener_id', 'm.opener_id')
    .select(['m.id', 'm.parent_id', 'm.opener_id', 'm.kind', 'm.sequence', 't.status'])
    .where('m.session_id', '=', session)
    .orderBy('m.sequence')
    .execute()
}

/** Stored only if it is not the newest message. */
async function moveHead(
  tx: WriteTx,
  state: SessionState,
  { links, head }: { links: ReadonlyMap<string, { sequence: number }>; head: string },
): Promise<void> {
  let newest = head
  for (const [id, { sequence }] of links) if (sequence > (links.get(newest)?.sequence ?? 0)) newest = id
  const named = newest === head ? null : head
  state.row.head_message_id = named
  await tx.db.updateTable('agent_sessions').set({ head_message_id: named }).where('id', '=', state.id).execute()
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
