/** Which episodes wait for an analysis: those that are over and have no run, or one that is stale, failed or left behind. Newest first. */
import type { Kysely } from 'kysely'
import { padded } from '../../core/padded.ts'
import { isClosed } from '../../episodes/closed.ts'
import type { GroupingRule } from '../../episodes/definitions.ts'
import type { Tables } from '../../store/tables.ts'
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeToRead } from './load-episodes.ts'
import { isRunDead } from './run-holder.ts'

/** A run that failed so often is left alone until somebody asks for it. */
export const MOST_ATTEMPTS = 3
/** By rules no model's answer is replaced. */
export const RULES = 'rules'

export interface WaitingRequest {
  readonly type: AnalysisType
  readonly analyzer: Pick<Analyzer, 'version' | 'implementation'>
  readonly rules: readonly GroupingRule[]
  readonly now: number
  /** Of one agent; of all when absent. */
  readonly agentId?: string | undefined
  /** Only episodes that went on from this time on. */
  readonly since?: number | undefined
  /** Only episodes of these threads: a session, and what is derived from it. */
  readonly threads?: readonly string[] | undefined
  /** Also those that failed too often, and those where rules stood in for a model. */
  readonly retry?: boolean | undefined
}

/** So many are looked at by one query. */
const PAGE = 256

/** In parts; each episode once. What others finish meanwhile is left out by the claim. */
export async function* waitingEpisodes(db: Kysely<Tables>, request: WaitingRequest): AsyncGenerator<EpisodeToRead[], void, undefined> {
  const rules = new Map(request.rules.filter(({ id }) => request.type.definitions.includes(id)).map((rule) => [rule.id, rule]))
  if (rules.size === 0) return
  let before: { readonly start_time: number; readonly id: string } | undefined
  for (;;) {
    const rows = await page(db, [...rules.keys()], request, before)
    const statuses = await statusesOf(db, rows, rules)
    const closed = rows.flatMap((row) => {
      const rule = rules.get(row.definition_id) as GroupingRule
      if (!isClosed(rule, { end_time: row.end_time, status: statuses.get(row.id) ?? null }, request.now)) return []
      return isFree(row, request.now) ? [{ ...row, strategy: rule.strategy }] : []
    })
    if (closed.length > 0) yield closed
    before = rows.at(-1)
    if (rows.length < PAGE || before === undefined) return
  }
}

function page(
  db: Kysely<Tables>,
  definitions: readonly string[],
  { type, analyzer, agentId, since, threads, retry = false }: WaitingRequest,
  before: { readonly start_time: number; readonly id: string } | undefined,
) {
  const asked = analyzer.implementation
  let query = db
    .selectFrom('episodes as e')
    .leftJoin('analysis_runs as r', (join) => join.onRef('r.episode_id', '=', 'e.id').on('r.analysis_type_id', '=', type.name))
    .selectAll('e')
    .select(['r.status as run_status', 'r.holder', 'r.held_until'])
    .where('e.definition_id', 'in', definitions)
    .where((eb) =>
      eb.or([
        eb('r.id', 'is', null),
        eb('r.status', 'in', ['pending', 'running']),
        eb('r.revision', 'is', null),
        eb('r.revision', '<>', eb.ref('e.revision')),
        // What a model said is not replaced by rules: it was paid for.
        eb.and([
          ...(asked === RULES ? [eb('r.asked', '=', RULES)] : []),
          eb.or([eb('r.version', 'is', null), eb('r.version', '<>', analyzer.version), eb('r.asked', '<>', asked)]),
        ]),
        eb.and([eb('r.status', '=', 'failed'), ...(retry ? [] : [eb('r.attempts', '<', MOST_ATTEMPTS)])]),
        ...(retry && asked !== RULES ? [eb.and([eb('r.asked', '=', asked), eb('r.implementation', '<>', asked)])] : []),
      ]),
    )
    .orderBy('e.start_time', 'desc')
    .orderBy('e.id', 'desc')
    .limit(PAGE)
  if (agentId !== undefined) query = query.where('e.agent_id', '=', agentId)
  if (since !== undefined) query = query.where('e.end_time', '>=', since)
  if (threads !== undefined) query = query.where('e.thread_id', 'in', threads)
  if (before !== undefined)
    query = query
      .where('e.start_time', '<=', before.start_time)
      .where((eb) => eb.or([eb('e.start_time', '<', before.start_time), eb('e.id', '<', before.id)]))
  return query.execute()
}

function isFree(run: { run_status: string | null; holder: string | null; held_until: number | null }, now: number): boolean {
  return run.run_status !== 'running' || isRunDead(run, now)
}

interface OfAgents {
  readonly id: string
  readonly definition_id: string
  readonly thread_id: string | null
  readonly first_event_id: string | null
}

/** Of turns and sessions; by the id of the episode. */
async function statusesOf(
  db: Kysely<Tables>,
  rows: readonly OfAgents[],
  rules: ReadonlyMap<string, GroupingRule>,
): Promise<Map<string, string>> {
  const of = (strategy: string) => rows.filter(({ definition_id }) => rules.get(definition_id)?.strategy === strategy)
  const found = new Map<string, string>()
  const openers = of('agent_turn').flatMap(({ first_event_id: first }) => (first === null ? [] : [first]))
  if (openers.length > 0) {
    const turns = await db.selectFrom('agent_turns').select(['opener_id', 'status']).where('opener_id', 'in', padded(openers)).execute()
    const by = new Map(turns.map(({ opener_id, status }) => [opener_id, status]))
    for (const { id, first_event_id: first } of of('agent_turn')) found.set(id, by.get(first ?? '') ?? 'open')
  }
  const sessions = of('agent_session').flatMap(({ thread_id: thread }) => (thread === null ? [] : [thread]))
  if (sessions.length > 0) {
    const known = await db.selectFrom('agent_sessions').select(['id', 'status']).where('id', 'in', padded(sessions)).execute()
    const by = new Map(known.map(({ id, status }) => [id, status]))
    for (const { id, thread_id: thread } of of('agent_session')) found.set(id, by.get(thread ?? '') ?? 'active')
  }
  return found
}
