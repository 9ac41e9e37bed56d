/** Decisions about a subject as lines: the current one, and below it former ones. Redacted. */
import type { ExpressionBuilder } from 'kysely'
import { askedTerms, statementTerms } from '../../analyze/history/terms.ts'
import { MnemonicError } from '../../core/error.ts'
import { inRuns } from '../../core/in-runs.ts'
import { padded } from '../../core/padded.ts'
import { REMEMBERED_RULE } from '../../core/stated-as.ts'
import { parseAsOf, parseWhen, toIso } from '../../core/time.ts'
import { projectCalled } from '../../ingest/project-called.ts'
import type { PersonalSetting } from '../../search/personal-scope.ts'
import type { Store } from '../../store/store.ts'
import type { DecisionsTable, Tables } from '../../store/tables.ts'
import type { ListSessionsOptions } from '../sessions.ts'
import type { DecisionLine, DecisionRow } from './decision.ts'
import { linesOf } from './lines.ts'
import { showDecisions } from './shown.ts'

export interface DecisionsRequest {
  /** "telemetry", or "what did we decide about telemetry". */
  readonly subject?: string
  readonly project?: string
  readonly after?: string
  readonly before?: string
  /** Ignores everything stated later. */
  readonly asOf?: string
  /** Includes other people and documents. By default only the owner and agents count; for preferences only the owner. */
  readonly all?: boolean
  /** Preferences and standing rules instead of decisions. */
  readonly preferences?: boolean
  readonly agent?: string
  /** For agents in a project: unless `always`, without what people wrote to each other. */
  readonly personal?: PersonalSetting
  readonly limit?: number
}

export interface DecisionList {
  /** Newest first; with a subject, best match first. */
  readonly lines: readonly DecisionLine[]
  /** Including those beyond the limit. */
  readonly total: number
  readonly terms: readonly string[]
  readonly as_of: string | null
}

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
const AT_ONCE = 400

export async function listDecisions(store: Store, request: DecisionsRequest, options: ListSessionsOptions): Promise<DecisionList> {
  const limit = checkedLimit(request.limit)
  const when = { timezone: options.timezone, now: options.clock() }
  const at = (time: string | undefined) => (time === undefined ? undefined : parseWhen(time, when))
  const [after, before] = [at(request.after), at(request.before)]
  const asOf = request.asOf === undefined ? undefined : parseAsOf(request.asOf, when)
  const terms = request.subject === undefined ? [] : askedTerms(request.subject)
  if (request.subject !== undefined && terms.length === 0)
    throw new MnemonicError('USAGE', 'the subject has no word that tells it from others', {
      details: { subject: request.subject },
      hint: 'Name what it is about: mnemonic decisions telemetry',
    })
  const found = await matching(store, { terms, until: asOf, request, options })
  const chosen = found.filter(({ made_at }) => made_at >= (after ?? -Infinity) && made_at < (before ?? Infinity))
  const linked = await linksOf(
    store,
    chosen.map(({ event_id }) => event_id),
    { until: asOf, readsPersonal: readsPersonal(request) },
  )
  const rows = await rowsOf(store, [...new Set([...chosen.map(({ event_id }) => event_id), ...linked.ids])])
  const lines = linesOf(rows, linked.links, scores(rows, terms, new Map(chosen.map(({ event_id, hits }) => [event_id, hits]))))
  const shown = lines.slice(0, limit)
  return { lines: await showDecisions(store, shown), total: lines.length, terms, as_of: asOf === undefined ? null : toIso(asOf) }
}

function readsPersonal({ personal = 'always' }: DecisionsRequest): boolean {
  return personal === 'always'
}

function notPersonal(eb: ExpressionBuilder<Tables & { d: DecisionsTable }, 'd'>) {
  const remembered = eb
    .selectFrom('events as e')
    .select('e.id')
    .whereRef('e.id', '=', 'd.event_id')
    .where('e.metadata_json', 'like', `%${JSON.stringify({ rule: REMEMBERED_RULE }).slice(1, -1)}%`)
  return eb.or([eb('d.session_id', 'is not', null), eb.exists(remembered)])
}

interface Matching {
  readonly terms: readonly string[]
  readonly until: number | undefined
  readonly request: DecisionsRequest
  readonly options: ListSessionsOptions
}

/** Rows with all terms, else with some. */
async function matching(store: Store, { terms, until, request, options }: Matching) {
  const agent = request.agent ?? options.agentId
  let query = store.read
    .selectFrom('decisions as d')
    .select(['d.event_id', 'd.made_at'])
    .where('d.type', '=', request.preferences ? 'preference_stated' : 'decision')
  if (agent !== 'all') query = query.where('d.agent_id', '=', agent)
  // A rule that is not in the owner's words is only a proposal.
  if (!request.all) query = query.where('d.trust', 'in', request.preferences ? ['owner'] : ['owner', 'agent'])
  if (until !== undefined) query = query.where('d.made_at', '<', until)
  if (!readsPersonal(request)) query = query.where(notPersonal)
  if (request.project !== undefined) {
    const { keys, folders, ids } = await projectCalled(store, request.project)
    const sessions = store.read
      .selectFrom('agent_sessions')
      .select('id')
      .where((of) =>
        of.or([of(of.fn.coalesce('repository', 'project'), 'in', keys), of('workspace_path', 'in', folders), of('id', 'in', ids)]),
      )
    // Project statements have no session.
    query = query.where((eb) =>
      eb.or([eb('d.session_id', 'in', sessions), eb.and([eb('d.session_id', 'is', null), eb('d.scope', 'in', padded(keys))])]),
    )
  }
  if (terms.length === 0) return (await query.execute()).map((row) => ({ ...row, hits: 0 }))
  const rows = await query
    .innerJoin('decision_terms as t', 't.event_id', 'd.event_id')
    .where('t.term', 'in', [...terms])
    .select((eb) => eb.fn.countAll<number>().as('hits'))
    .groupBy(['d.event_id', 'd.made_at'])
    .execute()
  const counted = rows.map((row) => ({ ...row, hits: Number(row.hits) }))
  const whole = counted.filter(({ hits }) => hits === terms.length)
  return whole.length > 0 ? whole : counted
}

/** A decision that names the subject comes before one that only answers a question about it. */
function scores(rows: readonly DecisionRow[], terms: readonly string[], hits: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(
    rows.map(({ event_id, content }) => {
      const own = statementTerms(content ?? '')
      return [event_id, (hits.get(event_id) ?? 0) + terms.filter((term) => own.names.has(term) || own.words.has(term)).length]
    }),
  )
}

interface Link {
  readonly earlier_id: string
  readonly later_id: string
  readonly reason: string
}

async function linksOf(
  store: Store,
  from: readonly string[],
  { until, readsPersonal }: { readonly until: number | undefined; readonly readsPersonal: boolean },
): Promise<{ links: Link[]; ids: string[] }> {
  const links = new Map<string, Link>()
  const seen = new Set(from)
  for (let next = [...from]; next.length > 0; ) {
    const reached: string[] = []
    for (const run of inRuns(next, () => 1, AT_ONCE)) {
      const rows = await store.read
        .selectFrom('decision_links as l')
        .innerJoin('decisions as d', 'd.event_id', 'l.later_id')
        .select(['l.earlier_id', 'l.later_id', 'l.reason', 'd.made_at'])
        .where((eb) => eb.or([eb('l.earlier_id', 'in', padded(run)), eb('l.later_id', 'in', padded(run))]))
        .$if(!readsPersonal, (query) => query.where(notPersonal))
        .execute()
      for (const { made_at, ...link } of rows) {
        if (until !== undefined && made_at >= until) continue
        links.set(`${link.earlier_id}\n${link.later_id}`, link)
        for (const id of [link.earlier_id, link.later_id])
          if (!seen.has(id)) {
            seen.add(id)
            reached.push(id)
          }
      }
    }
    next = reached
  }
  return { links: [...links.values()], ids: [...seen] }
}

async function rowsOf(store: Store, ids: readonly string[]): Promise<DecisionRow[]> {
  const rows: DecisionRow[] = []
  for (const run of inRuns(ids, () => 1, AT_ONCE))
    rows.push(
      ...(await store.read
        .selectFrom('decisions as d')
        .innerJoin('events as e', 'e.id', 'd.event_id')
        .select(['d.event_id', 'd.key', 'd.type', 'd.scope', 'd.session_id', 'd.turn_id', 'd.message', 'd.made_at', 'd.trust'])
        .select(['e.content', 'e.metadata_json', 'e.channel', 'e.speaker', 'e.thread_id'])
        .where('d.event_id', 'in', padded(run))
        .execute()),
    )
  return rows
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, { details: { limit } })
}
