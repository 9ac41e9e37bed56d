import type { Term, WorkFound, WorkHit, WorkQuery } from '../../work.ts'
import type { Condition } from '../chunk-condition.ts'
import { matchExpression } from '../lexical/match-expression.ts'
import type { Prepare } from '../statements.ts'

/** Weights of command, did, text: what a call did counts more than what it read. */
const SCORE = '-bm25(work_fts, 4.0, 2.0, 1.0)'
/** Limit for optional words: work ranks behind speech, and rare words tell most. */
const MOST_SCORED = 2000
/** Limit for required words. Phrases are searched in full, however common. */
const MOST_REQUIRED = 20_000
const MOST_COUNTED = 10_000

export const NOTHING: WorkFound = { hits: [], total: 0, counted: true }

interface Search {
  readonly prepare: Prepare
  readonly documents: (term: Term) => number
  readonly query: WorkQuery
  readonly condition: Condition
  readonly limit: number
}

type Row = WorkHit & { readonly total: number }

export function bestWork(search: Search): WorkFound {
  const { prepare, query, condition, limit } = search
  const { any, first, whole } = bounded(search)
  const expression = matchExpression({ ...query, any })
  if (expression === undefined) return newestWork(search)
  const match = query.didOnly ? `{command did} : (${expression})` : expression
  const rows = prepare(
    `with found as materialized (select rowid as id, ${SCORE} as score from work_fts where work_fts match @match and rowid > @first)
      select c.id, found.score, count(*) over () as total from found cross join work_calls c on c.id = found.id
      where ${condition.sql} order by found.score desc, c.timestamp desc, c.id desc limit @limit`,
  ).all({ ...condition.params, match, first: BigInt(first), limit }) as Row[]
  return { hits: rows.map(({ id, score }) => ({ id, score })), total: rows[0]?.total ?? 0, counted: whole }
}

/** If the words match too many calls, only the rarest search; if even those do, only the newest calls. */
function bounded({ prepare, documents, query: { all = [], any } }: Search): { any: readonly Term[]; first: number; whole: boolean } {
  if (all.length > 0) {
    const isPhrase = all.some(({ words }) => words.length > 1)
    const least = isPhrase ? 0 : Math.min(...all.map(documents))
    return { any, first: firstOf(prepare, MOST_REQUIRED / least), whole: least <= MOST_REQUIRED }
  }
  const counts = any.map((term) => ({ term, count: documents(term) })).sort((a, b) => a.count - b.count)
  let room = MOST_SCORED
  const kept = counts.filter(({ count }, i) => {
    room -= count
    return i === 0 || room >= 0
  })
  const rarest = counts[0]?.count ?? 0
  const whole = kept.length === counts.length && rarest <= MOST_SCORED
  return { any: kept.map(({ term }) => term), first: kept.length > 1 ? 0 : firstOf(prepare, MOST_SCORED / rarest), whole }
}

function firstOf(prepare: Prepare, share: number): number {
  if (share >= 1) return 0
  const newest = (prepare('select max(id) from work_calls').pluck().get() as number | null) ?? 0
  return Math.floor(newest * (1 - share))
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
