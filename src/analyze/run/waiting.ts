import type { Kysely, Selectable } from 'kysely'
import { padded } from '../../core/padded.ts'
import { isClosed } from '../../episodes/closed.ts'
import type { GroupingRule } from '../../episodes/definitions.ts'
import type { EpisodesTable, Tables } from '../../store/tables.ts'
import type { Analyzer } from '../analyzer.ts'
import type { AnalysisType } from './analysis-type.ts'
import type { EpisodeToRead } from './load-episodes.ts'
import { isRunDead } from './run-holder.ts'

/** After this many failures, a run waits for an explicit retry. */
export const MOST_ATTEMPTS = 3
/** Rules never replace a model's answer. */
export const RULES = 'rules'

export interface WaitingRequest {
  readonly type: AnalysisType
  readonly analyzer: Pick<Analyzer, 'version' | 'implementation'>
  readonly rules: readonly GroupingRule[]
  readonly now: number
  readonly agentId?: string | undefined
  readonly isLabelled?: ((agentId: string) => boolean) | undefined
  readonly since?: number | undefined
  /** A session with its derived threads. */
  readonly threads?: readonly string[] | undefined
  readonly episodes?: readonly string[] | undefined
  /** Includes runs that failed too often, and fallback results. */
  readonly retry?: boolean | undefined
}

/** Types that write to the turn's row; `labeling.enabled` turns them off. */
const OF_TURN_ROWS = ['turn_labels', 'topics']

const PAGE = 256

/** Each episode once. The claim skips what others finish meanwhile. */
export async function* waitingEpisodes(db: Kysely<Tables>, request: WaitingRequest): AsyncGenerator<EpisodeToRead[], void, undefined> {
  const rules = request.rules.filter(({ id }) => request.type.definitions.includes(id))
  const queues = await Promise.all(rules.map((rule) => queueOf(waitingOf(db, rule, request))))
  let part: EpisodeToRead[] = []
  for (;;) {
    const [first, second] = queues.filter(({ some }) => some.length > 0).sort((a, b) => startOf(b) - startOf(a))
    if (first === undefined) break
    const end = second === undefined ? -1 : first.some.findIndex(({ start_time }) => start_time < startOf(second))
    part.push(...first.some.splice(0, end === -1 ? first.some.length : end))
    if (first.some.length === 0) await first.fill()
    if (part.length < PAGE) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

interface Queue {
  some: EpisodeToRead[]
  fill(): Promise<void>
}

async function queueOf(parts: AsyncGenerator<EpisodeToRead[], void, undefined>): Promise<Queue> {
  const queue: Queue = {
    some: [],
    async fill() {
      queue.some = (await parts.next()).value ?? []
    },
  }
  await queue.fill()
  return queue
}

function startOf({ some: [newest] }: Queue): number {
  return newest?.start_time ?? Number.NEGATIVE_INFINITY
}

async function* waitingOf(
  db: Kysely<Tables>,
  rule: GroupingRule,
  request: WaitingRequest,
): AsyncGenerator<EpisodeToRead[], void, undefined> {
  let before: { readonly start_time: number; readonly id: string } | undefined
  const isOfTurnLabels = OF_TURN_ROWS.includes(request.type.name) && rule.strategy === 'agent_turn'
  for (;;) {
    const rows = await page(db, rule.id, request, before)
    const read = rows.filter(({ agent_id }) => !isOfTurnLabels || request.isLabelled?.(agent_id) !== false)
    const closed = (await closedOf(db, read, rule, request.now)).flatMap((row) =>
      isFree(row, request.now) ? [{ ...row, strategy: rule.strategy }] : [],
    )
    if (closed.length > 0) yield closed
    before = rows.at(-1)
    if (rows.length < PAGE || before === undefined) return
  }
}

export async function closedAmong<Row extends OfAgents & Pick<Selectable<EpisodesTable>, 'definition_id' | 'end_time'>>(
  db: Kysely<Tables>,
  rows: readonly Row[],
  rules: readonly GroupingRule[],
  now: number,
): Promise<Row[]> {
  const of = (rule: GroupingRule) => rows.filter(({ definition_id }) => definition_id === rule.id)
  return (await Promise.all(rules.map((rule) => closedOf(db, of(rule), rule, now)))).flat()
}

async function closedOf<Row extends OfAgents & Pick<Selectable<EpisodesTable>, 'end_time'>>(
  db: Kysely<Tables>,
  rows: readonly Row[],
  rule: GroupingRule,
  now: number,
): Promise<Row[]> {
  const statuses = await statusesOf(db, rows, rule)
  return rows.filter(({ id, end_time }) => isClosed(rule, { end_time, status: statuses.get(id) ?? null }, now))
}

function page(
  db: Kysely<Tables>,
  definition: string,
  { type, analyzer, agentId, since, threads, episodes, retry = false }: WaitingRequest,
  before: { readonly start_time: number; readonly id: string } | undefined,
) {
  const asked = analyzer.implementation
  let query = db
    .selectFrom('episodes as e')
    .leftJoin('analysis_runs as r', (join) => join.onRef('r.episode_id', '=', 'e.id').on('r.analysis_type_id', '=', type.name))
    .selectAll('e')
    .select(['r.status as run_status', 'r.holder', 'r.held_until'])
    .where('e.definition_id', '=', definition)
    .where((eb) =>
      eb.or([
        eb('r.id', 'is', null),
        eb('r.status', 'in', ['pending', 'running']),
        eb('r.revision', 'is', null),
        eb('r.revision', '<>', eb.ref('e.revision')),
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
  if (episodes !== undefined) query = query.where('e.id', 'in', padded(episodes))
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
  readonly thread_id: string | null
  readonly first_event_id: string | null
}

async function statusesOf(
  db: Kysely<Tables>,
  rows: readonly OfAgents[],
  { strategy }: Pick<GroupingRule, 'strategy'>,
): Promise<Map<string, string>> {
  if (strategy === 'agent_turn') {
    const openers = rows.flatMap(({ first_event_id: first }) => (first === null ? [] : [first]))
    if (openers.length === 0) return new Map()
    const turns = await db.selectFrom('agent_turns').select(['opener_id', 'status']).where('opener_id', 'in', padded(openers)).execute()
    const by = new Map(turns.map(({ opener_id, status }) => [opener_id, status]))
    return new Map(rows.map(({ id, first_event_id: first }) => [id, by.get(first ?? '') ?? 'open']))
  }
  if (strategy === 'agent_session') {
    const sessions = rows.flatMap(({ thread_id: thread }) => (thread === null ? [] : [thread]))
    if (sessions.length === 0) return new Map()
    const known = await db.selectFrom('agent_sessions').select(['id', 'status']).where('id', 'in', padded(sessions)).execute()
    const by = new Map(known.map(({ id, status }) => [id, status]))
    return new Map(rows.map(({ id, thread_id: thread }) => [id, by.get(thread ?? '') ?? 'active']))
  }
  return new Map()
}
