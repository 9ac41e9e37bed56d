/** A finished part leaves the queue in the same transaction. */
import type { Kysely } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { GroupingRule } from './definitions.ts'
import { regroupThread, rulesOf } from './regroup-thread.ts'
import { ALWAYS, type Span, type Thread } from './strategy.ts'
import { DERIVED } from './thread-events.ts'
import type { EpisodeWriter } from './write-episodes.ts'

/** Bounds a write transaction, so that other writers wait briefly. */
export const EVENTS_AT_ONCE = 2000
export const THREAD_COST = 5

interface Waiting {
  readonly thread_id: string
  readonly first_time: number
  readonly last_time: number
}

export async function regroupWaiting(
  tx: WriteTx,
  { rules, writer, room = EVENTS_AT_ONCE }: { rules: readonly GroupingRule[]; writer: EpisodeWriter; room?: number | undefined },
): Promise<{ threads: number; more: boolean }> {
  let left = room
  let threads = 0
  for (;;) {
    const [waiting] = await nextWaiting(tx.db, {})
    if (waiting === undefined) return { threads, more: false }
    if (left <= 0) return { threads, more: true }
    const { thread_id: id, first_time, last_time } = waiting
    const span = { from: first_time, to: last_time }
    const { done, events } = await regroupSome(tx, id, { rules, writer, span, touched: span, room: left })
    left -= events + THREAD_COST
    if (done < last_time) {
      await shorten(tx.db, { id, from: done + 1, to: last_time })
      return { threads, more: true }
    }
    await leaveQueue(tx.db, { id })
    threads += 1
  }
}

export async function waitingThreads(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('episode_waiting')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function waitAllThreads({ db }: WriteTx): Promise<void> {
  const [first_time, last_time] = [ALWAYS.from, ALWAYS.to]
  await db
    .insertInto('episode_waiting')
    .columns(['thread_id', 'first_time', 'last_time'])
    .expression((eb) =>
      eb
        .selectFrom('threads')
        .select((of) => ['id', of.val(first_time).as('first_time'), of.val(last_time).as('last_time')])
        .where('id', 'is not', null),
    )
    .onConflict((conflict) => conflict.column('thread_id').doUpdateSet({ first_time, last_time }))
    .execute()
}

export interface SomeOfThread {
  readonly rules: readonly GroupingRule[]
  readonly writer: EpisodeWriter
  readonly span: Span
  readonly touched?: Span
  readonly room: number
}

/** Returns the time reached and the approximate number of events read. */
export async function regroupSome(
  tx: WriteTx,
  id: string,
  { rules, writer, span, touched, room }: SomeOfThread,
): Promise<{ done: number; events: number }> {
  const [thread] = await threadOf(tx.db, { id })
  if (thread === undefined) return { done: ALWAYS.to, events: 0 }
  const { cut, events } = await cutOf(tx.db, id, span, room)
  let done = ALWAYS.to
  for (const rule of rulesOf(thread, rules))
    done = Math.min(
      done,
      await regroupThread(tx, { thread, rule, writer, span: { from: span.from, to: cut }, touched, isPart: cut < span.to }),
    )
  return { done, events }
}

async function cutOf(db: Kysely<Tables>, thread: string, { from, to }: Span, room: number): Promise<{ cut: number; events: number }> {
  const rows = await someTimes(db, { thread, from, to, room })
  return { cut: rows.length < room ? to : (rows.at(-1)?.timestamp ?? to), events: rows.length }
}

const someTimes = compiledOnce((db, { thread, from, to, room }: { thread: string; room: number } & Span) =>
  db
    .selectFrom('events')
    .select('timestamp')
    .where('thread_id', '=', thread)
    .where('timestamp', '>=', from)
    .where('timestamp', '<=', to)
    .where('source_adapter', '<>', DERIVED)
    .orderBy('timestamp')
    .limit(room),
)

const nextWaiting = compiledOnce<object, Waiting>((db) => db.selectFrom('episode_waiting').selectAll().orderBy('thread_id').limit(1))

const threadOf = compiledOnce<{ id: string }, Thread>((db, { id }) =>
  db.selectFrom('threads').select(['id', 'channel', 'agent_id', 'source_adapter']).where('id', '=', id),
)

const leaveQueue = compiledOnce((db, { id }: { id: string }) => db.deleteFrom('episode_waiting').where('thread_id', '=', id))

const shorten = compiledOnce((db, { id, from, to }: { id: string } & Span) =>
  db.updateTable('episode_waiting').set({ first_time: from, last_time: to }).where('thread_id', '=', id),
)
