import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { parseWhen } from '../core/time.ts'
import { projectCalled } from '../ingest/project-called.ts'
import type { Store } from '../store/store.ts'
import type { SessionList, SessionsRequest } from './browse.ts'
import { redactText } from './redact-stored.ts'
import { SUMMARY_COLUMNS, type SummaryRow, sessionSummaries } from './session-summary.ts'
import { sessionsWithWords } from './sessions-with-words.ts'

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
/** Most messages to sum usage over: keeps a listing under a second. */
const USAGE_MESSAGES = 20_000

export interface ListSessionsOptions {
  /** Default persona; `all` for every one. */
  readonly agentId: string
  readonly timezone: string
  readonly clock: Clock
}

/** Sessions alive between `after` and `before`. Subagents only on request, deleted ones never. */
export async function listSessions(store: Store, request: SessionsRequest, options: ListSessionsOptions): Promise<SessionList> {
  const when = { timezone: options.timezone, now: options.clock() }
  const agent = request.agent ?? options.agentId
  const [after, before] = [request.after ?? request.since, request.before ?? request.until]
  let query = store.read.selectFrom('agent_sessions').where('status', '<>', 'deleted')
  if (agent !== 'all') query = query.where('agent_id', '=', agent)
  if (!request.subagents) query = query.where('is_subagent', '=', 0)
  if (request.ids !== undefined) query = query.where('id', 'in', request.ids)
  if (request.source !== undefined) query = query.where('source', '=', request.source)
  if (after !== undefined) query = query.where('last_message_at', '>=', parseWhen(after, when))
  if (before !== undefined) query = query.where('started_at', '<', parseWhen(before, when))
  if (request.project !== undefined) {
    const { keys, folders, ids } = await projectCalled(store, request.project)
    query = query.where((eb) =>
      eb.or([eb(eb.fn.coalesce('repository', 'project'), 'in', keys), eb('workspace_path', 'in', folders), eb('id', 'in', ids)]),
    )
  }
  const limit = checkedLimit(request.limit)
  const newest = query.select(SUMMARY_COLUMNS).orderBy('last_message_at', 'desc').orderBy('id')
  const summaries = async (rows: readonly SummaryRow[]) =>
    sessionSummaries(store, rows, { redact: redactText, usageMessages: USAGE_MESSAGES })
  if (request.text !== undefined) {
    const found = await sessionsWithWords(store, await newest.execute(), request.text)
    return { sessions: await summaries(found.slice(0, limit)), total: found.length }
  }
  const counted = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { sessions: await summaries(await newest.limit(limit).execute()), total: Number(counted.total) }
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, {
    details: { limit },
    hint: `Leave it out to see the newest ${DEFAULT_LIMIT}.`,
  })
}
