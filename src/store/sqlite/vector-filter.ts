/** Which chunks a filter lets pass, for a search by vectors. What memory knows beside the bits is asked there, the rest in SQL. */
import type { VectorFilter } from '../vectors.ts'
import { type Condition, chunkCondition } from './chunk-condition.ts'
import type { Pause } from './vector-pause.ts'
import type { Prepare } from './vector-prepare.ts'

const PAGE = 5000

export function vectorCondition({ role, ...filter }: VectorFilter): Condition {
  const { sql, params } = chunkCondition(filter)
  return role === undefined ? { sql, params } : { sql: `${sql} and c.said_${role} <> ''`, params }
}

/** True when agent and branches are all that is asked. */
export function isPlain({ agentId: _agent, branches: _branches, ...rest }: VectorFilter): boolean {
  return Object.values(rest).every((value) => value === undefined)
}

/** Only few chunks can pass, and an index leads to them. */
export function isNarrow({ sessionId }: VectorFilter): boolean {
  return sessionId !== undefined
}

/** Those of the chunks that pass, in the same order. */
export function passingOf(prepare: Prepare, filter: VectorFilter, ids: readonly number[]): number[] {
  const { sql, params } = vectorCondition(filter)
  const pass = prepare(`select c.id from json_each(@ids) w cross join chunks c on c.id = w.value where ${sql}`).pluck()
  const passed = new Set(pass.all({ ...params, ids: JSON.stringify(ids) }))
  return ids.filter((id) => passed.has(id))
}

/**
 * All chunks that pass, where agent and branches are asked elsewhere. Sessions, and times of one agent, are read from their indexes; whatever
 * no index knows is read page by page.
 */
export async function everyPassing(prepare: Prepare, filter: VectorFilter, pause: Pause): Promise<number[]> {
  const { agentId, branches: _branches, ...asked } = filter
  const { after: _after, before: _before, ...rest } = asked
  const onlyTimes = agentId !== undefined && Object.values(rest).every((value) => value === undefined)
  if (onlyTimes || filter.sessionId !== undefined || filter.project !== undefined) {
    const { sql, params } = vectorCondition({ ...asked, ...(onlyTimes ? { agentId } : {}), branches: true })
    return prepare(`select c.id from chunks c where ${sql}`).pluck().all(params) as number[]
  }
  const { sql, params } = vectorCondition({ ...asked, branches: true })
  const page = prepare(`select c.id from chunks c not indexed where c.id > @from and c.id <= @from + ${PAGE} and ${sql}`).pluck()
  const last = (prepare('select max(id) from chunks').pluck().get() as number | null) ?? 0
  const ids: number[] = []
  for (let from = 0; from < last; from += PAGE) {
    ids.push(...(page.all({ ...params, from }) as number[]))
    await pause()
  }
  return ids
}
