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

export function isPlain({ agentId: _agent, branches: _branches, ...rest }: VectorFilter): boolean {
  return Object.values(rest).every((value) => value === undefined)
}

/** A session has at most 2,000 chunks, few enough to compare all. */
export function isNarrow({ sessionId }: VectorFilter): boolean {
  return sessionId !== undefined
}

export function passingOf(prepare: Prepare, filter: VectorFilter, ids: readonly number[]): number[] {
  const { sql, params } = vectorCondition(filter)
  const pass = prepare(`select c.id from json_each(@ids) w cross join index_chunks c on c.id = w.value where ${sql}`).pluck()
  const passed = new Set(pass.all({ ...params, ids: JSON.stringify(ids) }))
  return ids.filter((id) => passed.has(id))
}

/** An index hint that avoids scanning most other chunks; undefined if no index fits. */
export function wayTo(filter: VectorFilter): string | undefined {
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

/** All passing chunks; the caller checks agent and branches. Pages through the table if no index fits. */
export async function everyPassing(prepare: Prepare, filter: VectorFilter, pause: Pause): Promise<number[]> {
  const way = wayTo(filter)
  const { agentId, branches: _branches, ...asked } = filter
  // The agent condition needs each chunk's row, so it is added only for its index.
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
