/** Titles for sessions whose message is not stored yet. Each keeps its unit, because it is forgotten with that unit's session. */
import type { Clock } from '../core/clock.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import type { TitleRecord } from './agent-record.ts'
import { announce } from './finish-session.ts'
import { nameSession } from './names/name-session.ts'

interface TitleUnit {
  readonly source: string
  readonly name: string
}

export async function savePendingTitles(tx: WriteTx, { source, name }: TitleUnit, titles: readonly TitleRecord[]): Promise<void> {
  for (const { leaf, title, rank } of titles) {
    if (leaf === undefined) continue
    await tx.db
      .insertInto('agent_pending_titles')
      .values({ source, leaf_native_id: leaf, title, title_rank: rank, unit: name })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

const waitingOf = compiledOnce((db, { source }: { source: string }) =>
  db.selectFrom('agent_pending_titles').selectAll().where('source', '=', source),
)

/** Few titles wait at any time, so each is handled alone. */
export async function givePendingTitles(tx: WriteTx, source: string, clock: Clock): Promise<void> {
  const waiting = await waitingOf(tx.db, { source })
  if (waiting.length === 0) return
  const leaves = await tx.agents.records(
    source,
    waiting.map((row) => row.leaf_native_id),
  )
  const titles = new Map<string, { title: string; title_rank: number }>()
  for (const { leaf_native_id, title, title_rank } of waiting) {
    const message = leaves.get(leaf_native_id)?.[0]
    if (message === undefined) continue
    if ((titles.get(message.session_id)?.title_rank ?? 0) <= title_rank) titles.set(message.session_id, { title, title_rank })
    await tx.db
      .deleteFrom('agent_pending_titles')
      .where('source', '=', source)
      .where('leaf_native_id', '=', leaf_native_id)
      .where('title', '=', title)
      .execute()
  }
  for (const [id, { title, title_rank }] of titles) {
    const changed = await tx.db
      .updateTable('agent_sessions')
      .set({ source_title: title, title_rank })
      .where('id', '=', id)
      .where('title_rank', '<=', title_rank)
      .where((eb) => eb.or([eb('source_title', 'is', null), eb('source_title', '<>', title), eb('title_rank', '<>', title_rank)]))
      .returning('head_turn_id')
      .executeTakeFirst()
    if (changed === undefined) continue
    await nameSession(tx, id, await tombstonesOf(tx))
    if (changed.head_turn_id) await announce(tx, id, changed.head_turn_id, clock)
  }
}

/** Applies the unit's resolvable titles and drops the rest, which may belong to the forgotten session. */
export async function dropPendingTitles(tx: WriteTx, unit: string, clock: Clock): Promise<void> {
  const waiting = await tx.db.selectFrom('agent_pending_titles').select('source').distinct().where('unit', '=', unit).execute()
  for (const { source } of waiting) await givePendingTitles(tx, source, clock)
  if (waiting.length > 0) await tx.db.deleteFrom('agent_pending_titles').where('unit', '=', unit).execute()
}

/** Also removes titles without a unit (older rows), which may belong to it. */
export async function removeTitlesOfUnit(tx: WriteTx, source: string, unit: string): Promise<void> {
  await tx.db.deleteFrom('agent_pending_titles').where('unit', '=', unit).execute()
  await tx.db.deleteFrom('agent_pending_titles').where('source', '=', source).where('unit', '=', '').execute()
}

export async function renameTitleUnit(tx: WriteTx, unit: string, name: string): Promise<number> {
  await tx.db.deleteFrom('agent_pending_titles').where('unit', '=', name).execute()
  const { numUpdatedRows } = await tx.db.updateTable('agent_pending_titles').set({ unit: name }).where('unit', '=', unit).executeTakeFirst()
  return Number(numUpdatedRows)
}
