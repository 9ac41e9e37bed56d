import type { Clock } from '../../core/clock.ts'
import { oneLine } from '../../core/text.ts'
import { toIso, wallClock } from '../../core/time.ts'
import { sessionIdsNaming } from '../../graph/read/entity-scope.ts'
import { projectCalled } from '../../ingest/project-called.ts'
import { shortSessionIds } from '../../ledgers/short-ids.ts'
import type { EntityFilter } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { redactText } from '../redact-stored.ts'
import type { AskedSpan } from './asked-span.ts'
import { commitsOf } from './commits.ts'
import type { TimelineCommit, TimelineEntry } from './entry.ts'

export interface TimelineOptions {
  readonly agentId: string
  readonly timezone: string
  readonly clock: Clock
  readonly project?: string | undefined
  readonly entity?: EntityFilter | undefined
  readonly own: ReadonlySet<string>
}

/** A longer pause is not counted as work. */
const PAUSE_MS = 10 * 60_000
const AT_ONCE = 50
const LONGEST_TITLE = 200

interface OnDay {
  from: number
  to: number
  active: number
  turns: number
  commits: TimelineCommit[]
}

export async function sessionEntries(store: Store, span: AskedSpan, options: TimelineOptions): Promise<TimelineEntry[]> {
  const alive = await sessionsAlive(store, span, options)
  const shown = alive.filter(({ is_subagent }) => is_subagent === 0)
  const short = await shortSessionIds(store, shown)
  const roots = rootsOf(alive)
  const commits = await commitsOf(
    store.read,
    alive.map(({ id }) => id),
    span,
  )
  const entries: TimelineEntry[] = []
  for (let at = 0; at < shown.length; at += AT_ONCE) {
    const some = shown.slice(at, at + AT_ONCE)
    const days = await daysOf(
      store,
      some.map(({ id }) => id),
      span,
      options.timezone,
    )
    for (const session of some) {
      const made = [...commits].flatMap(([id, of]) => (roots.get(id) === session.id ? of : []))
      const onDays = days.get(session.id) ?? new Map<string, OnDay>()
      for (const commit of made) onDays.get(wallClock(Date.parse(commit.at), options.timezone).day)?.commits.push(commit)
      for (const [day, { from, to, active, turns, commits: of }] of onDays) {
        entries.push({
          ...{ kind: 'session', day, from: toIso(from), to: toIso(to), all_day: false, channel: session.source },
          title: session.title === null ? null : oneLine(redactText(session.title), LONGEST_TITLE),
          ...{ id: short.get(session.id) ?? session.id, session_id: session.id, episode_id: null },
          project_name: session.project_name === null ? null : redactText(session.project_name),
          ...{ count: turns, active_ms: active, people: [], location: null, statements: [] },
          commits: of.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
        })
      }
    }
  }
  return entries
}

async function sessionsAlive(store: Store, { from, to }: AskedSpan, { agentId, project, entity }: TimelineOptions) {
  let query = store.read
    .selectFrom('agent_sessions')
    .select(['id', 'native_id', 'source', 'title', 'project_name', 'is_subagent', 'parent_session_id'])
    .where('status', '<>', 'deleted')
    .where('last_message_at', '>=', from)
    .where('started_at', '<', to)
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (entity !== undefined) query = query.where('id', 'in', sessionIdsNaming(store.read, entity))
  if (project !== undefined) {
    const { keys, folders, ids } = await projectCalled(store, project)
    query = query.where((eb) =>
      eb.or([eb(eb.fn.coalesce('repository', 'project'), 'in', keys), eb('workspace_path', 'in', folders), eb('id', 'in', ids)]),
    )
  }
  return query.orderBy('started_at').orderBy('id').execute()
}

type Alive = Awaited<ReturnType<typeof sessionsAlive>>[number]

/** Work of a subagent counts for the session that started it. */
function rootsOf(sessions: readonly Alive[]): Map<string, string> {
  const parents = new Map(sessions.map(({ id, is_subagent, parent_session_id: parent }) => [id, is_subagent === 1 ? parent : null]))
  const rootOf = (id: string) => {
    const passed = new Set<string>()
    for (let at = id; ; ) {
      const parent = parents.get(at)
      if (parent == null || passed.has(at)) return at
      passed.add(at)
      at = parent
    }
  }
  return new Map(sessions.map(({ id }) => [id, rootOf(id)]))
}

async function daysOf(
  { read }: Store,
  ids: readonly string[],
  { from, to }: AskedSpan,
  timezone: string,
): Promise<Map<string, Map<string, OnDay>>> {
  const found = new Map<string, Map<string, OnDay>>()
  const dayOf = (session: string, at: number): OnDay => {
    const { day } = wallClock(at, timezone)
    const days = found.get(session) ?? new Map<string, OnDay>()
    found.set(session, days)
    const known = days.get(day) ?? { from: at, to: at, active: 0, turns: 0, commits: [] }
    days.set(day, known)
    return known
  }
  const within = <T extends { timestamp: number | null }>(row: T): row is T & { timestamp: number } => row.timestamp !== null
  const messages = await read
    .selectFrom('agent_messages')
    .select(['session_id', 'timestamp'])
    .where('session_id', 'in', ids)
    .where('timestamp', '>=', from)
    .where('timestamp', '<', to)
    .orderBy('session_id')
    .orderBy('timestamp')
    .execute()
  for (const { session_id, timestamp } of messages.filter(within)) {
    const day = dayOf(session_id, timestamp)
    if (timestamp - day.to <= PAUSE_MS) day.active += timestamp - day.to
    day.to = timestamp
  }
  const turns = await read
    .selectFrom('agent_turns')
    .select(['session_id', 'timestamp'])
    .where('session_id', 'in', ids)
    .where('status', '<>', 'superseded')
    .where('timestamp', '>=', from)
    .where('timestamp', '<', to)
    .execute()
  for (const { session_id, timestamp } of turns.filter(within)) dayOf(session_id, timestamp).turns += 1
  return found
}
