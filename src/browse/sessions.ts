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
    const projects = await projectsCalled(store, request.project)
    if (projects.length === 0) return []
    query = query.where('project', 'in', projects)
  }
  const rows = await query.orderBy('last_message_at', 'desc').orderBy('id').limit(checkedLimit(request.limit)).execute()
  return sessionSummaries(store, rows, redactText)
}

/** The projects that a name means: the whole path, or its last part or parts; case and kind of slash do not matter. */
async function projectsCalled(store: Store, name: string): Promise<string[]> {
  const wanted = folded(name)
  if (wanted === '') return []
  const rows = await store.read.selectFrom('agent_sessions').select('project').where('project', 'is not', null).distinct().execute()
  return rows.flatMap(({ project }) => {
    if (project === null) return []
    const path = folded(project)
    return path === wanted || path.endsWith(`/${wanted}`) ? [project] : []
  })
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
