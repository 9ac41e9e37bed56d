/** Idempotent: unchanged ledgers change no row. */
import type { Kysely } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { GroupingRule } from './definitions.ts'
import { ALWAYS } from './strategy.ts'
import { currentRules, type EpisodesRun, inTransactions, updateEpisodes } from './update.ts'
import { regroupSession } from './waiting-sessions.ts'
import { EVENTS_AT_ONCE, regroupSome, THREAD_COST } from './waiting-threads.ts'
import type { EpisodeWriter, Written } from './write-episodes.ts'

export interface RebuildOptions extends EpisodesRun {
  readonly definition?: string | undefined
}

export async function rebuildEpisodes(store: Store, { definition, ...run }: RebuildOptions): Promise<Written> {
  const followed = await updateEpisodes(store, run)
  const rules = (await currentRules(store, run)).filter(({ id }) => definition === undefined || id === definition)
  const ids = [...(await allThreads(store.read)), ...(await allSessions(store.read))]
  const orphans = await inTransactions(store, run, async (tx, writer) => {
    const left = await withoutOwner(tx.db, rules)
    for (const id of left) await writer.remove(id)
    return { more: left.length === ORPHANS_AT_ONCE, done: 0, total: ids.length }
  })
  let at = 0
  let from: number | undefined
  const rebuilt = await inTransactions(store, run, async (tx, writer) => {
    for (let room = run.eventsAtOnce ?? EVENTS_AT_ONCE; room > 0 && at < ids.length; ) {
      const { next, cost } = await rebuildOne(tx, ids[at] as Owner, { rules, writer, from, room })
      room -= cost
      from = next
      if (next === undefined) at++
      else break // the rest must see these writes
    }
    return { more: at < ids.length, done: at, total: ids.length }
  })
  const sum = (part: keyof Written) => followed[part] + rebuilt[part] + orphans[part]
  return { added: sum('added'), changed: sum('changed'), removed: sum('removed') }
}

interface Owner {
  readonly kind: 'thread' | 'session'
  readonly id: string
}

interface Part {
  readonly rules: readonly GroupingRule[]
  readonly writer: EpisodeWriter
  readonly from: number | undefined
  readonly room: number
}

async function rebuildOne(
  tx: WriteTx,
  { kind, id }: Owner,
  { rules, writer, from, room }: Part,
): Promise<{ next: number | undefined; cost: number }> {
  if (kind === 'session') {
    const next = await regroupSession(tx, id, { rules, writer, from: from ?? 0, touched: false })
    // Queued changes of this session are now done too.
    if (next === undefined) await tx.db.deleteFrom('episode_sessions_waiting').where('session_id', '=', id).execute()
    return { next, cost: SESSION_COST }
  }
  const span = { from: from ?? ALWAYS.from, to: ALWAYS.to }
  const { done, events } = await regroupSome(tx, id, { rules, writer, span, room })
  if (done >= span.to) await tx.db.deleteFrom('episode_waiting').where('thread_id', '=', id).execute()
  return { next: done >= span.to ? undefined : done + 1, cost: events + THREAD_COST }
}

const SESSION_COST = 100

async function allThreads(db: Kysely<Tables>): Promise<Owner[]> {
  const rows = await db.selectFrom('threads').select('id').orderBy('id').execute()
  return rows.map(({ id }) => ({ kind: 'thread', id }))
}

async function allSessions(db: Kysely<Tables>): Promise<Owner[]> {
  const rows = await db.selectFrom('agent_sessions').select('id').orderBy('id').execute()
  return rows.map(({ id }) => ({ kind: 'session', id }))
}

const ORPHANS_AT_ONCE = 500

/** Triggers delete most orphans, but not an episode written after its owner was deleted. */
async function withoutOwner(db: Kysely<Tables>, rules: readonly GroupingRule[]): Promise<string[]> {
  const found: string[] = []
  for (const { id: definition, strategy } of rules) {
    const room = ORPHANS_AT_ONCE - found.length
    const rows = await ORPHANS[strategy === 'agent_turn' || strategy === 'agent_session' ? strategy : 'thread'](db, { definition, room })
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

const ORPHANS = {
  thread: compiledOnce((db, { definition, room }: { definition: string; room: number }) =>
    db
      .selectFrom('episodes as e')
      .leftJoin('threads as t', 't.id', 'e.thread_id')
      .select('e.id')
      .where('e.definition_id', '=', definition)
      .where('t.id', 'is', null)
      .limit(room),
  ),
  agent_session: compiledOnce((db, { definition, room }: { definition: string; room: number }) =>
    db
      .selectFrom('episodes as e')
      .leftJoin('agent_sessions as s', 's.id', 'e.thread_id')
      .select('e.id')
      .where('e.definition_id', '=', definition)
      .where('s.id', 'is', null)
      .limit(room),
  ),
  agent_turn: compiledOnce((db, { definition, room }: { definition: string; room: number }) =>
    db
      .selectFrom('episodes as e')
      .leftJoin('agent_turns as t', 't.opener_id', 'e.first_event_id')
      .select('e.id')
      .where('e.definition_id', '=', definition)
      .where('t.id', 'is', null)
      .limit(room),
  ),
}
