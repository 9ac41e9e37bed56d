/** Where there is nothing: the days next to it on which there is something. */
import { wallClock } from '../../core/time.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { AskedSpan } from './asked-span.ts'
import type { TimelineOptions } from './sessions.ts'

interface Scope extends TimelineOptions {
  readonly scope: ProjectScope | undefined
}

export async function nearestDays(store: Store, span: AskedSpan, scope: Scope): Promise<{ before: string | null; after: string | null }> {
  const turns = await turnsAround(store, span, scope)
  const events = scope.scope === undefined ? await eventsAround(store, span, scope) : { before: null, after: null }
  const day = (at: number | null) => (at === null ? null : wallClock(at, scope.timezone).day)
  return {
    before: day(most(turns.before, events.before, Math.max)),
    after: day(most(turns.after, events.after, Math.min)),
  }
}

type Around = { readonly before: number | null; readonly after: number | null }

function most(a: number | null, b: number | null, of: (a: number, b: number) => number): number | null {
  return a === null ? b : b === null ? a : of(a, b)
}

async function turnsAround({ read }: Store, { from, to }: AskedSpan, { agentId, scope }: Scope): Promise<Around> {
  let query = read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .where('s.status', '<>', 'deleted')
    .where('s.is_subagent', '=', 0)
    .where('t.status', '<>', 'superseded')
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  if (scope !== undefined)
    query = query.where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('s.repository', 's.project'), 'in', scope.keys),
        eb('s.workspace_path', 'in', scope.folders),
        eb('s.id', 'in', scope.ids),
      ]),
    )
  const before = await query
    .where('t.timestamp', '<', from)
    .select((eb) => eb.fn.max('t.timestamp').as('at'))
    .executeTakeFirst()
  const after = await query
    .where('t.timestamp', '>=', to)
    .select((eb) => eb.fn.min('t.timestamp').as('at'))
    .executeTakeFirst()
  return { before: before?.at ?? null, after: after?.at ?? null }
}

async function eventsAround({ read }: Store, { from, to }: AskedSpan, { agentId }: Scope): Promise<Around> {
  let query = read.selectFrom('events').where('source_adapter', 'not in', ['aix-events', 'derived'])
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const before = await query
    .where('timestamp', '<', from)
    .select((eb) => eb.fn.max('timestamp').as('at'))
    .executeTakeFirst()
  const after = await query
    .where('timestamp', '>=', to)
    .select((eb) => eb.fn.min('timestamp').as('at'))
    .executeTakeFirst()
  return { before: before?.at ?? null, after: after?.at ?? null }
}
