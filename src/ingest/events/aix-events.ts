/**
 * The trimmed turns of the agents ledger as events: one for what was asked, one for the final answer. No tool calls, no thinking, no
 * subagents, no injected context, no superseded branches. Reads the ledger alone, never a source.
 */
import { type Selectable, sql } from 'kysely'
import type { Clock } from '../../core/clock.ts'
import { type NewThread, putEvents, putThread, removeEvents, removeThread } from '../../ledgers/events-writer.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { AgentSessionsTable } from '../../store/tables.ts'
import type { AdapterReport } from '../sync-report.ts'
import { turnEvents } from './turn-events.ts'

export const AIX_EVENTS = 'aix-events'
const CURSOR = 'aix_events_cursor_v1'
/** Sessions of one transaction: others write between two of them. */
const AT_ONCE = 50

export interface AixEventsOptions {
  readonly store: Store
  readonly clock: Clock
  /** Runs inside every write transaction, first: a lost lease stops the run there. */
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal
}

/** Brings the events up to date with every session that moved since the last run. */
export async function deriveEvents({ store, clock, guard, signal }: AixEventsOptions): Promise<AdapterReport> {
  const started = performance.now()
  const { sessions, upTo } = await moved(store)
  let imported = 0
  let records = 0
  for (let at = 0; at === 0 || at < sessions.length; at += AT_ONCE) {
    if (signal?.aborted) break // what is left is found again by the next run
    const last = at + AT_ONCE >= sessions.length
    await store.write(async (tx) => {
      await guard(tx)
      for (const id of sessions.slice(at, at + AT_ONCE)) {
        const added = await reconcile(tx, id, clock)
        if (added !== undefined) imported += 1
        records += added ?? 0
      }
      if (last && upTo !== undefined) await setCursor(tx, upTo)
    })
  }
  const counts = { found: sessions.length, imported, unchanged: sessions.length - imported, quarantined: 0, records, repeated: 0 }
  const read = { skipped_lines: 0, bytes_read: 0, duration_ms: Math.round(performance.now() - started) }
  return { name: AIX_EVENTS, ...counts, ...read, warnings: [] }
}

/** Sessions whose head moved since the cursor, and those whose last turn became final by silence. */
async function moved(store: Store): Promise<{ sessions: string[]; upTo: number | undefined }> {
  const row = await store.read.selectFrom('meta').select('value').where('key', '=', CURSOR).executeTakeFirst()
  const since = Number(row?.value ?? 0)
  const { max } = await store.read
    .selectFrom('agent_session_history')
    .select((is) => is.fn.max('id').as('max'))
    .executeTakeFirstOrThrow()
  const upTo = max === null || max <= since ? undefined : max
  const heads = await store.read
    .selectFrom('agent_session_history')
    .select('session_id as id')
    .distinct()
    .where('id', '>', since)
    .where('id', '<=', upTo ?? since)
    .execute()
  const silent = await store.read
    .selectFrom('agent_sessions as s')
    .innerJoin('agent_turns as t', 't.id', 's.head_turn_id')
    .select('s.id')
    .where('s.is_subagent', '=', 0)
    .where('t.status', '=', 'final')
    .where('t.turn_type', '=', 'normal')
    .where(
      sql<boolean>`not exists (select 1 from events e where e.source_adapter = ${AIX_EVENTS}
        and e.source_id in (t.id || ':user', t.id || ':assistant'))`,
    )
    // A turn in which nobody said a word never has any: it would be looked at again each time.
    .where((is) =>
      is.or([
        is('t.response_message_id', 'is not', null),
        is.exists(
          is
            .selectFrom('agent_messages as m')
            .select('m.id')
            .whereRef('m.turn_id', '=', 't.id')
            .where('m.kind', '=', 'prompt')
            .where('m.trust', '<>', 'agent')
            .where(sql<string>`trim(m.content)`, '<>', ''),
        ),
      ]),
    )
    .execute()
  return { sessions: [...new Set([...heads, ...silent].map(({ id }) => id))], upTo }
}

/** Makes a session's events what its final turns say. Gives how many are new; undefined when nothing had to change. */
async function reconcile(tx: WriteTx, sessionId: string, clock: Clock): Promise<number | undefined> {
  const session = await tx.db.selectFrom('agent_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  const thread = `aix_session:${sessionId}`
  const stored = await tx.db.selectFrom('events').select(['id', 'source_id']).where('thread_id', '=', thread).execute()
  const wanted =
    session === undefined || session.is_subagent === 1 || session.status === 'deleted'
      ? []
      : await tx.db
          .selectFrom('agent_turns')
          .select(['id', 'timestamp', 'query_message_ids', 'response_message_id'])
          .where('session_id', '=', sessionId)
          .where('status', '=', 'final')
          .where('turn_type', '=', 'normal')
          .orderBy('sequence')
          .execute()
  const turns = new Set(wanted.map(({ id }) => id))
  const known = new Set(stored.map(({ source_id }) => turnOf(source_id)))
  const gone = stored.filter(({ source_id }) => !turns.has(turnOf(source_id)))
  const missing = wanted.filter(({ id }) => !known.has(id))
  const events = session === undefined ? [] : await turnEvents(tx, session, missing)
  await removeEvents(
    tx,
    gone.map(({ id }) => id),
  )
  // A title may come, and a project be found, after all that was said.
  if (session !== undefined && (events.length > 0 || stored.length > gone.length)) await putThread(tx, threadOf(session, clock))
  await putEvents(tx, events)
  if (stored.length > 0 && stored.length === gone.length && events.length === 0) await removeThread(tx, thread)
  return gone.length + events.length > 0 ? events.length : undefined
}

function threadOf(session: Selectable<AgentSessionsTable>, clock: Clock): NewThread {
  const began = session.started_at ?? session.created_at ?? clock()
  return {
    id: `aix_session:${session.id}`,
    channel: session.source,
    name: session.title,
    source_adapter: AIX_EVENTS,
    source_id: session.id,
    parent_thread_id: null,
    agent_id: session.agent_id,
    metadata_json: session.project === null ? null : JSON.stringify({ project: session.project }),
    created_at: began,
    updated_at: session.last_message_at ?? began,
  }
}

function turnOf(sourceId: string): string {
  return sourceId.slice(0, sourceId.lastIndexOf(':'))
}

async function setCursor(tx: WriteTx, id: number): Promise<void> {
  await tx.db
    .insertInto('meta')
    .values({ key: CURSOR, value: String(id) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(id) }))
    .execute()
}
