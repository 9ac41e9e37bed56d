/**
 * Prompts and final answers of turns as events. Skips tool calls, thinking, subagents, injected context and superseded branches. Units are
 * stored sessions, not files.
 */
import type { Selectable } from 'kysely'
import { given } from '../../core/given.ts'
import type { ThreadRecord } from '../../ledgers/event-record.ts'
import type { Store } from '../../store/store.ts'
import type { AgentSessionsTable } from '../../store/tables.ts'
import type { Adapter, DiscoverOptions, ReadItem, SourceUnit } from '../adapter.ts'
import { finalTurns, threadIdOf, turnEvents } from './turn-events.ts'

export const AIX_EVENTS = 'aix-events'

export function aixEvents(store: Store): Adapter {
  return {
    name: AIX_EVENTS,
    rewritten: true,
    mirrors: 'event',
    derived: true,
    defaultPaths: () => [],
    discover: (asked) => discover(store, asked),
    recognises: () => false,
    read: (unit) => read(store, unit.path),
  }
}

/** One query. Deleted and subagent sessions are no units, so their events are removed. */
async function* discover(store: Store, { path }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  if (path !== undefined) return
  const sessions = await store.read
    .selectFrom('agent_sessions as s')
    .select((eb) => [
      ...(['s.id', 's.status', 's.message_count'] as const),
      eb
        .selectFrom('agent_session_history as h')
        .select((inner) => inner.fn.max('h.id').as('newest'))
        .whereRef('h.session_id', '=', 's.id')
        .as('moved'),
    ])
    .where('s.is_subagent', '=', 0)
    .where('s.status', '<>', 'deleted')
    .orderBy('s.id')
    .execute()
  for (const { id, status, message_count, moved } of sessions)
    yield { path: id, size: message_count, mtimeMs: stateNumber(moved ?? 0, status === 'ended') }
}

/**
 * Replaces mtime: grows with the session's history, and when silence ends it. Steps of ten, because times within two milliseconds count as
 * equal.
 */
function stateNumber(moved: number, ended: boolean): number {
  return moved * 10 + (ended ? 5 : 0)
}

async function* read({ read: db }: Store, id: string): AsyncGenerator<ReadItem, void, undefined> {
  const session = await db.selectFrom('agent_sessions').selectAll().where('id', '=', id).executeTakeFirst()
  if (session === undefined) return
  yield { type: 'event', record: threadOf(session) }
  const turns = await finalTurns(db, id)
  for await (const record of turnEvents(db, session, turns)) yield { type: 'event', record }
}

function threadOf(session: Selectable<AgentSessionsTable>): ThreadRecord {
  const began = session.started_at ?? session.created_at ?? session.last_message_at ?? 0
  return {
    type: 'thread',
    id: threadIdOf(session),
    channel: session.source,
    name: session.title,
    sourceId: session.id,
    agentId: session.agent_id,
    ...given({ metadata: session.project === null ? undefined : { project: session.project } }),
    createdAt: began,
    updatedAt: session.last_message_at ?? began,
  }
}
