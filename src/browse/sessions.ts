/** The list of sessions, newest first, of one persona or of all. Reads only; titles are redacted. */
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { parseWhen } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { SessionSummary, SessionsRequest } from './browse.ts'
import { redactText } from './redact-stored.ts'
import { SUMMARY_COLUMNS, sessionSummaries } from './session-summary.ts'

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
/** Reading so many takes a fraction of a second. */
const USAGE_MESSAGES = 20_000
/** As many values as a statement can take beside the others. */
const MOST_NAMED = 10_000

export interface ListSessionsOptions {
  /** The persona when the request names none; `all` for every one. */
  readonly agentId: string
  readonly timezone: string
  readonly clock: Clock
}

/** Sessions that were alive between `after` and `before`. Those of subagents only when asked for; deleted ones never. */
export async function listSessions(store: Store, request: SessionsRequest, options: ListSessionsOptions): Promise<SessionSummary[]> {
  const { timezone } = options
  const now = options.clock()
  const agent = request.agent ?? options.agentId
  let query = store.read.selectFrom('agent_sessions').select(SUMMARY_COLUMNS).where('status', '<>', 'deleted')
  if (agent !== 'all') query = query.where('agent_id', '=', agent)
  if (!request.subagents) query = query.where('is_subagent', '=', 0)
  if (request.source !== undefined) query = query.where('source', '=', request.source)
  if (request.after !== undefined) query = query.where('last_message_at', '>=', parseWhen(request.after, { timezone, now }))
  if (request.before !== undefined) query = query.where('started_at', '<', parseWhen(request.before, { timezone, now }))
  if (request.project !== undefined) {
    const { folders, moved } = await foldersCalled(store, request.project)
    if (folders.length + moved.length === 0) return []
    query = query.where((eb) => eb.or([eb('project', 'in', folders), eb('workspace_path', 'in', folders), eb('id', 'in', moved)]))
  }
  const rows = await query.orderBy('last_message_at', 'desc').orderBy('id').limit(checkedLimit(request.limit)).execute()
  return sessionSummaries(store, rows, { redact: redactText, usageMessages: USAGE_MESSAGES })
}

/**
 * The folders that a name means: the whole path, or its last part or parts; case and kind of slash do not matter. A session is
 * found by its project, by the folder it ran in, and by the former paths of its project: those, by their ids.
 */
async function foldersCalled(store: Store, name: string): Promise<{ folders: string[]; moved: string[] }> {
  const wanted = folded(name)
  if (wanted === '') return { folders: [], moved: [] }
  const isMeant = (path: unknown): path is string =>
    typeof path === 'string' && (folded(path) === wanted || folded(path).endsWith(`/${wanted}`))
  const rows = await store.read.selectFrom('agent_sessions').select(['project', 'workspace_path']).distinct().execute()
  const folders = new Set(rows.flatMap((row) => [row.project, row.workspace_path]).filter(isMeant))
  const left = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'context_json'])
    .where('context_json', 'like', '%"moved_from"%')
    .execute()
  const moved = left.filter(({ context_json }) => movedFrom(context_json).some(isMeant)).map(({ id }) => id)
  return { folders: [...folders].slice(0, MOST_NAMED), moved: moved.slice(0, MOST_NAMED) }
}

function movedFrom(context: string | null): unknown[] {
  const { moved_from } = JSON.parse(context ?? '{}') as { moved_from?: unknown }
  return Array.isArray(moved_from) ? moved_from : []
}

function folded(path: string): string {
  return path.normalize('NFC').trim().toLowerCase().replaceAll('\\', '/').replace(/\/+$/, '')
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, {
    details: { limit },
    hint: `Leave it out to see the newest ${DEFAULT_LIMIT}.`,
  })
}
