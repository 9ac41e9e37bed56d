/** Topics of all chunks, with counts and first and last day. */
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { parseWhen, toIso } from '../core/time.ts'
import { projectCalled } from '../ingest/project-called.ts'
import type { Store } from '../store/store.ts'

const DEFAULT_LIMIT = 20
const HIGHEST_LIMIT = 10_000
const AT_ONCE = 5_000
/** Chunks of unknown time do not count for first and last. */
const UNDATED = 0

export interface TopicsRequest {
  readonly project?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly agent?: string
  /** 1 to 10,000; default 20. */
  readonly limit?: number
}

export interface ListedTopic {
  /** For `search --topic`. */
  readonly topic: string
  readonly count: number
  readonly conversations: number
  readonly first_at: string | null
  readonly last_at: string | null
}

export interface TopicList {
  /** By conversations, then by chunks. */
  readonly topics: readonly ListedTopic[]
  /** Including those beyond the limit. */
  readonly total: number
}

interface Tally {
  count: number
  first: number
  last: number
  readonly where: Set<string>
}

export interface ListTopicsOptions {
  readonly agentId: string
  readonly timezone: string
  readonly clock: Clock
}

export async function listTopics(store: Store, request: TopicsRequest, options: ListTopicsOptions): Promise<TopicList> {
  const limit = checkedLimit(request.limit)
  const tallies = new Map<string, Tally>()
  for await (const { topic_tags, timestamp, session_id, path } of taggedChunks(store, request, options))
    for (const topic of JSON.parse(topic_tags) as string[]) {
      const tally = tallies.get(topic) ?? { count: 0, first: UNDATED, last: UNDATED, where: new Set() }
      tallies.set(topic, tally)
      tally.count += 1
      tally.where.add(session_id ?? path)
      if (timestamp === UNDATED) continue
      tally.first = tally.first === UNDATED ? timestamp : Math.min(tally.first, timestamp)
      tally.last = Math.max(tally.last, timestamp)
    }
  const commonest = [...tallies].sort(
    ([a, one], [b, other]) => other.where.size - one.where.size || other.count - one.count || (a < b ? -1 : 1),
  )
  return { topics: commonest.slice(0, limit).map(([topic, tally]) => listed(topic, tally)), total: commonest.length }
}

function listed(topic: string, { count, first, last, where }: Tally): ListedTopic {
  const iso = (ms: number) => (ms === UNDATED ? null : toIso(ms))
  return { topic, count, conversations: where.size, first_at: iso(first), last_at: iso(last) }
}

async function* taggedChunks(store: Store, request: TopicsRequest, { agentId, timezone, clock }: ListTopicsOptions) {
  const when = { timezone, now: clock() }
  const agent = request.agent ?? agentId
  const [after, before] = [request.after ?? request.since, request.before ?? request.until]
  let query = store.read.selectFrom('chunks').where('topic_tags', '<>', '[]').where('superseded', '=', 0)
  // Published files and dossiers repeat what was said, under our headings.
  query = query.where((eb) =>
    eb.or([
      eb('source', '<>', 'memory'),
      eb.and([
        eb('path', 'not in', eb.selectFrom('artifacts').select('source_path')),
        eb('path', 'not like', 'dossiers/%'),
        eb('path', 'not like', 'howto/%'),
      ]),
    ]),
  )
  if (agent !== 'all') query = query.where('agent_id', '=', agent)
  if (after !== undefined) query = query.where('timestamp', '>=', parseWhen(after, when))
  if (before !== undefined) query = query.where('timestamp', '<', parseWhen(before, when))
  if (request.project !== undefined) {
    const { keys, folders, ids } = await projectCalled(store, request.project)
    query = query.where('session_id', 'in', (eb) =>
      eb
        .selectFrom('agent_sessions as s')
        .select('s.id')
        .where((is) =>
          is.or([
            is(is.fn.coalesce('s.repository', 's.project'), 'in', keys),
            is('s.workspace_path', 'in', folders),
            is('s.id', 'in', ids),
          ]),
        ),
    )
  }
  const page = query.select(['id', 'topic_tags', 'timestamp', 'session_id', 'path']).orderBy('id').limit(AT_ONCE)
  for (let rows = await page.execute(); rows.length > 0; ) {
    yield* rows
    const last = rows.at(-1)?.id
    if (rows.length < AT_ONCE || last === undefined) return
    rows = await page.where('id', '>', last).execute()
  }
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, {
    details: { limit },
    hint: `Leave it out to see the commonest ${DEFAULT_LIMIT}.`,
  })
}
