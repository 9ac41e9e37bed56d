/** The best calls for a query, and how many match. */
import type { Term, WorkFound, WorkHit, WorkQuery } from '../../work.ts'
import type { Condition } from '../chunk-condition.ts'
import { matchExpression } from '../lexical/match-expression.ts'
import type { Prepare } from '../statements.ts'

/** Columns command, did, text: what a call did tells more than what it read. */
const SCORE = '-bm25(work_fts, 4.0, 2.0, 1.0)'
/** At most so many calls are scored: common words of a question that has rarer ones too would match half of all work. */
const MOST_SCORED = 10_000
const MOST_COUNTED = 10_000

export const NOTHING: WorkFound = { hits: [], total: 0, counted: true }

interface Search {
  readonly prepare: Prepare
  /** How many calls hold a term, at most. */
  readonly documents: (term: Term) => number
  readonly query: WorkQuery
  readonly condition: Condition
  readonly limit: number
}

type Row = WorkHit & { readonly total: number }

export function bestWork(search: Search): WorkFound {
  const { prepare, query, condition, limit } = search
  const { any, after, whole } = bounded(search)
  const expression = matchExpression({ ...query, any })
  if (expression === undefined) return newestWork(search)
  const match = query.didOnly ? `{command did} : (${expression})` : expression
  const rows = prepare(
    `with found as materialized (select rowid as id, ${SCORE} as score from work_fts where work_fts match @match and rowid > @after)
      select c.id, found.score, count(*) over () as total from found cross join work_calls c on c.id = found.id
      where ${condition.sql} order by found.score desc, c.timestamp desc, c.id desc limit @limit`,
  ).all({ ...condition.params, match, after: BigInt(after), limit }) as Row[]
  return { hits: rows.map(({ id, score }) => ({ id, score })), total: rows[0]?.total ?? 0, counted: whole }
}

/**
 * Where the words together are in too many calls, the rarest of them find, as long as they are in few enough. Where even the rarest is in too
 * many, so are the calls that hold all of what is required: then the newest are looked at.
 */
function bounded({ prepare, documents, query: { all = [], any } }: Search): { any: readonly Term[]; after: number; whole: boolean } {
  const counts = any.map((term) => ({ term, count: documents(term) })).sort((a, b) => a.count - b.count)
  const required = all.length === 0 ? undefined : Math.min(...all.map(documents))
  let left = MOST_SCORED
  const kept = counts.filter(({ count }, i) => {
    left -= count
    return required !== undefined || i === 0 || left >= 0
  })
  const matching = required ?? kept.reduce((sum, { count }) => sum + count, 0)
  const whole = kept.length === counts.length && matching <= MOST_SCORED
  if (matching <= MOST_SCORED) return { any: kept.map(({ term }) => term), after: 0, whole }
  const newest = (prepare('select max(id) from work_calls').pluck().get() as number | null) ?? 0
  return { any: kept.map(({ term }) => term), after: Math.floor(newest * (1 - MOST_SCORED / matching)), whole: false }
}

function newestWork({ prepare, condition, limit }: Search): WorkFound {
  const hits = prepare(
    `select c.id, 0 as score from work_calls c where ${condition.sql} order by c.timestamp desc, c.id desc limit @limit`,
  ).all({ ...condition.params, limit }) as WorkHit[]
  const total = prepare(`select count(*) from (select 1 from work_calls c where ${condition.sql} limit ${MOST_COUNTED + 1})`)
    .pluck()
    .get(condition.params) as number
  return { hits, total: Math.min(total, MOST_COUNTED), counted: total <= MOST_COUNTED }
}
