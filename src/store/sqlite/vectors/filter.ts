/** Which chunks a filter lets pass, for a search by vectors. What memory knows beside the bits is asked there, the rest in SQL. */
import { given } from '../../../core/given.ts'
import type { VectorFilter } from '../../vectors.ts'
import { type Condition, chunkCondition } from '../chunk-condition.ts'
import { isIndexed } from '../people-condition.ts'
import type { Prepare } from '../statements.ts'
import type { Pause } from './pause.ts'

const PAGE = 2000

export function vectorCondition({ role, ...filter }: VectorFilter): Condition {
  const { sql, params } = chunkCondition(filter)
  if (role === undefined) return { sql, params }
  return { sql: `${sql} and ${role === 'user' ? 'c.said_user' : 'c.said_assistant'} <> ''`, params }
}

/** True when agent and branches are all that is asked. */
export function isPlain({ agentId: _agent, branches: _branches, ...rest }: VectorFilter): boolean {
  return Object.values(rest).every((value) => value === undefined)
}

/** A session has at most two thousand chunks: all of them can be compared. */
export function isNarrow({ sessionId }: VectorFilter): boolean {
  return sessionId !== undefined
}

/** Those of the chunks that pass, in the same order. */
export function passingOf(prepare: Prepare, filter: VectorFilter, ids: readonly number[]): number[] {
  const { sql, params } = vectorCondition(filter)
  const pass = prepare(`select c.id from json_each(@ids) w cross join index_chunks c on c.id = w.value where ${sql}`).pluck()
  const passed = new Set(pass.all({ ...params, ids: JSON.stringify(ids) }))
  return ids.filter((id) => passed.has(id))
}

/**
 * The way to those that pass, without a look at most others, as words of the statement; undefined when there is none. What else is asked is then
 * asked of those.
 */
export function wayTo(filter: VectorFilter): string | undefined {
  // The ids themselves are listed by the condition.
  if (filter.entity !== undefined || (filter.people !== undefined && isIndexed(filter.people))) return ''
  const index = indexFor(filter)
  return index === undefined ? undefined : `indexed by ${index}`
}

function indexFor(filter: VectorFilter): string | undefined {
  if (filter.channels !== undefined && filter.channels.sessions.length === 0) return 'idx_index_chunks_file'
  if (filter.project !== undefined || filter.sessionId !== undefined) return 'idx_index_chunks_session'
  if (filter.hasDecision === true) return 'idx_index_chunks_decision'
  const { agentId, branches: _branches, after: _after, before: _before, ...rest } = filter
  return agentId !== undefined && Object.values(rest).every((value) => value === undefined) ? 'idx_index_chunks_time' : undefined
}

/** All chunks that pass, where agent and branches are asked elsewhere. What no index knows is read page by page. */
export async function everyPassing(prepare: Prepare, filter: VectorFilter, pause: Pause): Promise<number[]> {
  const way = wayTo(filter)
  const { agentId, branches: _branches, ...asked } = filter
  // The agent is asked for only where an index needs it: it would take a look at each chunk.
  const { sql, params } = vectorCondition({
    ...asked,
    ...given({ agentId: way === 'indexed by idx_index_chunks_time' ? agentId : undefined }),
    branches: true,
  })
  if (way !== undefined) return prepare(`select c.id from index_chunks c ${way} where ${sql}`).pluck().all(params) as number[]
  const page = prepare(`select c.id from index_chunks c not indexed where c.id > @from and c.id <= @from + ${PAGE} and ${sql}`).pluck()
  const last = (prepare('select max(id) from index_chunks').pluck().get() as number | null) ?? 0
  const ids: number[] = []
  for (let from = 0; from < last; from += PAGE) {
    ids.push(...(page.all({ ...params, from }) as number[]))
    await pause()
  }
  return ids
}
