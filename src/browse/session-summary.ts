/** Loads counts for many sessions in one query. */
import type { Selectable } from 'kysely'
import { oneLine } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import { secondName } from '../ledgers/names/name-session.ts'
import { shortSessionIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import type { SessionSummary } from './browse.ts'
import { recordedUsage } from './recorded-usage.ts'
import { type Redact, redactText } from './redact-stored.ts'

/** Omits the large raw header. */
export const SUMMARY_COLUMNS = [
  'id',
  'native_id',
  'source',
  'label',
  'title',
  'title_origin',
  'project_name',
  'task_description',
  'project',
  'workspace_path',
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
/** Sessions to look up a second subject for: more than a screen shows. */
const MOST_ABOUT = 200

export interface SummaryOptions {
  readonly redact: Redact
  /** Message limit for recorded usage, which needs their JSON; counted in row order. */
  readonly usageMessages?: number
}

export async function summaryOf(store: Store, id: string): Promise<SessionSummary> {
  const row = await store.read.selectFrom('agent_sessions').select(SUMMARY_COLUMNS).where('id', '=', id).executeTakeFirstOrThrow()
  const [summary] = await sessionSummaries(store, [row], { redact: redactText })
  return summary as SessionSummary
}

export async function sessionSummaries(
  store: Store,
  rows: readonly SummaryRow[],
  { redact, usageMessages = Number.POSITIVE_INFINITY }: SummaryOptions,
): Promise<SessionSummary[]> {
  const ids = rows.map((row) => row.id)
  const turns = await turnSums(store, ids)
  const calls = await callCounts(store, ids)
  const short = await shortSessionIds(store, rows)
  const usage = await recordedUsage(store, within(rows, usageMessages))
  const about = new Map<string, string | null>()
  for (const row of rows.slice(0, MOST_ABOUT)) about.set(row.id, await secondName(store.read, row))
  return rows.map((row) => {
    const shown = (text: string | null) => (text === null ? null : redact(text))
    const { count, tokens, models } = turns.get(row.id) ?? { count: 0, tokens: 0, models: [] }
    return {
      id: short.get(row.id) ?? row.id,
      session_id: row.id,
      source: row.source,
      harness: row.source,
      label: row.label,
      title: title(row, redact),
      title_origin: row.title === null && row.task_description !== null ? 'harness' : row.title_origin,
      about: oneLineOrNull(shown(about.get(row.id) ?? null)),
      project_name: shown(row.project_name) ?? (row.project === null ? null : lastPart(shown(row.project) ?? '')),
      project: shown(row.project),
      workspace_path: shown(row.workspace_path),
      model: shown(row.model ?? models[0] ?? null),
      models: models.map(redact),
      status: row.status,
      started_at: isoOrNull(row.started_at),
      last_message_at: isoOrNull(row.last_message_at),
      message_count: row.message_count,
      turn_count: count,
      tool_call_count: calls.get(row.id) ?? 0,
      token_count: tokens,
      usage: usage.get(row.id) ?? null,
      is_subagent: row.is_subagent === 1,
      parent_session_id: row.parent_session_id,
    }
  })
}

/** Fallback until the project has a name. */
function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path
}

function within(rows: readonly SummaryRow[], most: number): string[] {
  let messages = 0
  return rows.flatMap((row) => {
    messages += row.message_count
    return messages > most ? [] : [row.id]
  })
}

const oneLineOrNull = (text: string | null): string | null => (text === null ? null : oneLine(text, LONGEST_TITLE))

/** A subagent has no title: its task serves. */
function title(row: SummaryRow, redact: Redact): string | null {
  const text = row.title ?? row.task_description
  return text === null ? null : oneLine(redact(text), LONGEST_TITLE)
}

interface TurnSums {
  readonly count: number
  readonly tokens: number
  readonly models: readonly string[]
}

async function turnSums(store: Store, ids: readonly string[]): Promise<Map<string, TurnSums>> {
  const sums = new Map<string, TurnSums>()
  for (let i = 0; i < ids.length; i += BATCH) {
    const rows = await store.read
      .selectFrom('agent_turns')
      .select((eb) => ['session_id', 'model', eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('token_count').as('tokens')])
      .where('session_id', 'in', ids.slice(i, i + BATCH))
      .where('status', '<>', 'superseded')
      .groupBy(['session_id', 'model'])
      .execute()
    rows.sort((a, b) => Number(b.count) - Number(a.count) || ((a.model ?? '') < (b.model ?? '') ? -1 : 1))
    for (const { session_id, model, count, tokens } of rows) {
      const before = sums.get(session_id) ?? { count: 0, tokens: 0, models: [] }
      // Harnesses use names in angle brackets for text without a model.
      const models = model === null || model.startsWith('<') ? before.models : [...before.models, model]
      sums.set(session_id, { count: before.count + Number(count), tokens: before.tokens + Number(tokens), models })
    }
  }
  return sums
}

async function callCounts(store: Store, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let i = 0; i < ids.length; i += BATCH) {
    const rows = await store.read
      .selectFrom('agent_tool_calls')
      .select((eb) => ['session_id', eb.fn.countAll<number>().as('count')])
      .where('session_id', 'in', ids.slice(i, i + BATCH))
      .groupBy('session_id')
      .execute()
    for (const row of rows) counts.set(row.session_id, Number(row.count))
  }
  return counts
}
