/** After a unit told all of a session: makes the session's current path what the unit holds, in its order. Writes only where that differs. */
import { oneLine } from '../core/text.ts'
import type { WriteTx } from '../store/store.ts'
import { TITLE_RANK } from './agent-record.ts'
import { type LinkedMessage, relinked } from './relinked.ts'
import type { SessionState } from './session-state.ts'
import { currentOrder } from './telling.ts'
import { writeLinks } from './write-links.ts'

export interface Followed {
  /** Whether something was written. */
  readonly changed: boolean
  /** The unit does not hold just what is current, or did not before: what it appends is not simply what comes next. */
  readonly differs: boolean
}

const UNTOUCHED: Followed = { changed: false, differs: false }

export async function followTelling(tx: WriteTx, state: SessionState): Promise<Followed> {
  const { telling, id } = state
  if (!telling?.straight || state.outdated || telling.ids.length === 0) return UNTOUCHED
  const rows = await linkedMessages(tx, id)
  const own = new Set(rows.map((row) => row.id))
  const isWhole = telling.ids.every((one) => own.has(one))
  // What begins in another session goes on there, unless this unit alone says how.
  if (!isWhole && !(telling.again && telling.alone)) return UNTOUCHED
  const current = rows.filter((row) => row.status !== 'superseded' && !telling.off.has(row.id)).map((row) => row.id)
  const isAlone = telling.again && telling.alone
  const before = isAlone ? current : rows.filter((row) => row.status !== 'superseded' && row.sequence < telling.from).map((row) => row.id)
  const told = telling.ids.filter((one) => own.has(one))
  // A unit that is new here and only goes on from what is known has its messages in their places already.
  if (!telling.again && !returns(told, new Set(before))) return UNTOUCHED
  const now = currentOrder({ ...telling, ids: told }, before)
  const differs = telling.again && (!isSame(now, told) || now.length < rows.length)
  if (now.length === 0 || isSame(now, current)) return { changed: false, differs }
  // With the messages of other sessions in their places, where the unit's own order holds.
  const order = isSame(now, told) ? telling.ids : now
  const links = relinked(rows, order, id)
  await writeLinks(tx, id, { rows, links, path: new Set(now) })
  await moveHead(tx, state, { links, head: now.at(-1) as string })
  await retitle(tx, state, now)
  return { changed: true, differs: true }
}

/** Whether something that was known comes behind something new. */
function returns(told: readonly string[], known: ReadonlySet<string>): boolean {
  const fresh = told.findIndex((id) => !known.has(id))
  return fresh !== -1 && told.slice(fresh).some((id) => known.has(id))
}

async function linkedMessages(tx: WriteTx, session: string): Promise<LinkedMessage[]> {
  return tx.db
    .selectFrom('agent_messages as m')
    .leftJoin('agent_turns as t', 't.opener_id', 'm.opener_id')
    .select(['m.id', 'm.parent_id', 'm.opener_id', 'm.kind', 'm.sequence', 't.status'])
    .where('m.session_id', '=', session)
    .orderBy('m.sequence')
    .execute()
}

/** The head is named only where it is not the newest message. */
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

/** A title that is a prompt's is that of the first one that says something. */
async function retitle(tx: WriteTx, state: SessionState, path: readonly string[]): Promise<void> {
  if (state.row.title_rank !== TITLE_RANK.prompt) return
  for (const id of path) {
    const message = (await tx.agents.messages([id])).get(id)
    const title = message?.kind === 'prompt' ? oneLine(message.content ?? '', 120) : ''
    if (title === '') continue
    state.row.title = title
    await tx.db.updateTable('agent_sessions').set({ title }).where('id', '=', state.id).execute()
    return
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
