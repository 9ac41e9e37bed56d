/** The head line of a session, as lists and `show` give it. Loads counts for many sessions at once, never one by one. */
import type { Selectable } from 'kysely'
import { oneLine } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import type { SessionSummary } from './browse.ts'
import type { Redact } from './redact-stored.ts'

/** What a summary is made of; the session's raw header stays in the database. */
export const SUMMARY_COLUMNS = [
  'id',
  'source',
  'label',
  'title',
  'task_description',
  'project',
  'model',
  'status',
  'started_at',
  'last_message_at',
  'message_count',
  'is_subagent',
  'parent_session_id',
] as const

export type SummaryRow = Pick<Selectable<AgentSessionsTable>, (typeof SUMMARY_COLUMNS)[number]>

const BATCH = 500
const LONGEST_TITLE = 200

/** In the order of `rows`. */
export async function sessionSummaries(store: Store, rows: readonly SummaryRow[], redact: Redact): Promise<SessionSummary[]> {
  const ids = rows.map((row) => row.id)
  const turns = await countBySession(ids, (some) =>
    store.read
      .selectFrom('agent_turns')
      .select((is) => ['session_id', is.fn.countAll<number>().as('count')])
      .where('session_id', 'in', some)
      .where('status', '<>', 'superseded')
      .groupBy('session_id')
      .execute(),
  )
  const calls = await countBySession(ids, (some) =>
    store.read
      .selectFrom('agent_tool_calls')
      .select((is) => ['session_id', is.fn.countAll<number>().as('count')])
      .where('session_id', 'in', some)
      .groupBy('session_id')
      .execute(),
  )
  return rows.map((row) => ({
    session_id: row.id,
    source: row.source,
    label: row.label,
    title: title(row, redact),
    project: row.project === null ? null : redact(row.project),
    model: row.model,
    status: row.status,
    started_at: isoOrNull(row.started_at),
    last_message_at: isoOrNull(row.last_message_at),
    message_count: row.message_count,
    turn_count: turns.get(row.id) ?? 0,
    tool_call_count: calls.get(row.id) ?? 0,
    is_subagent: row.is_subagent === 1,
    parent_session_id: row.parent_session_id,
  }))
}

/** A subagent has no title of its own: its task says what it was for. */
function title(row: SummaryRow, redact: Redact): string | null {
  const text = row.title ?? row.task_description
  return text === null ? null : oneLine(redact(text), LONGEST_TITLE)
}

async function countBySession(
  ids: readonly string[],
  load: (ids: readonly string[]) => Promise<{ session_id: string; count: number }[]>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let i = 0; i < ids.length; i += BATCH) {
    for (const row of await load(ids.slice(i, i + BATCH))) counts.set(row.session_id, Number(row.count))
  }
  return counts
}
