/**
 * Looking up every match costs more than scoring it, so only the best are filtered. If too few pass, starts from the chunks that pass the
 * filter.
 */
import { given } from '../../../core/given.ts'
import type { Spoken } from '../../../core/own-words.ts'
import type { LexicalHit, LexicalQuery } from '../../lexical.ts'
import { chunkCondition } from '../chunk-condition.ts'
import { isPlain, wayTo } from '../vectors/filter.ts'
import { bounded, type Search, weightOf } from './bound.ts'
import { holders, SCAN_A_LOOK_UP } from './holders.ts'
import { matchExpression } from './match-expression.ts'
import { spokenCheck } from './own-words.ts'

/** Weights of said_user, said_assistant, extra_terms: identifier parts tell less than whole words. */
const SCORE = '-bm25(chunks_fts, 1.0, 1.0, 0.5)'
const scoreOf = ({ all = [], raise = [] }: LexicalQuery) => (raise.length > 0 && all.length === 0 ? `${SCORE} / 2` : SCORE)
const LEAST_TOP = 3000
const TOP_A_HIT = 10
/** Most filters pass most chunks: a small factor then suffices and sorts faster. */
const FIRST_TOP_A_HIT = 2
const FEW_PASSING = 20_000
/** Even a word in every other chunk must rank a match above a non-match. */
const LEAST_WEIGHT = 1e-6

interface Candidate {
  readonly id: number
  readonly score: number
}

export function best(search: Search): LexicalHit[] {
  const { prepare, limit } = search
  const { query, after, whole } = bounded(search)
  const match = matchExpression(query)
  if (match === undefined) return passing(search, newest(search))
  const top =
    prepare(`select rowid as id, ${scoreOf(query)} as score from chunks_fts where chunks_fts match ? ${after > 0 ? 'and rowid > ?' : ''}
    order by score desc, rowid limit ?`)
  const matches = (most: number) => (after > 0 ? top.all(match, after, most) : top.all(match, most)) as Candidate[]
  if (isPlain(search.filter)) {
    const found = passing(search, filtered(search, matches(FIRST_TOP_A_HIT * limit)))
    if (found.length === limit) return found
  }
  const most = Math.max(LEAST_TOP, TOP_A_HIT * limit)
  const first = matches(most)
  const hits = passing(search, filtered(search, first))
  if (hits.length === limit || (whole && first.length < most)) return hits
  const few = fewPassing(search)
  if (few !== undefined) return passing(search, matchesAmong(search, few, first))
  if (!whole && isPlain(search.filter)) return filledUp(search, query, hits)
  return passing(search, everyMatch(search))
}

/** Fills up with matches of words too common to score, then with the newest chunks that contain one. */
function filledUp(search: Search, asked: LexicalQuery, hits: readonly LexicalHit[]): LexicalHit[] {
  const { prepare, query, limit } = search
  const known = new Set(hits.map(({ chunkId }) => chunkId))
  const rest = (asked.all ?? []).length > 0 ? [] : query.any.filter((term) => !asked.any.includes(term))
  if (rest.length > 0) {
    const more = best({ ...search, query: { ...query, any: rest } })
    return [...hits, ...more.filter(({ chunkId }) => !known.has(chunkId))].slice(0, limit)
  }
  const match = matchExpression({ ...query, any: (asked.all ?? []).slice(0, 1), raise: [] })
  const newer = prepare(`select rowid as id, ${LEAST_WEIGHT} as score from chunks_fts where chunks_fts match ? order by rowid desc limit ?`)
  const others = (newer.all(match, limit + TOP_A_HIT * limit) as Candidate[]).filter(({ id }) => !known.has(id))
  return [...hits, ...passing({ ...search, limit: limit - hits.length }, filtered(search, others))]
}

function fewPassing({ prepare, filter }: Search): Set<number> | undefined {
  const way = isPlain(filter) ? undefined : wayTo(filter)
  if (way === undefined) return undefined
  const { sql, params } = chunkCondition(filter)
  const ids = prepare(`select c.id from index_chunks c ${way} where ${sql} limit ${FEW_PASSING + 1}`)
    .pluck()
    .all(params) as number[]
  return ids.length > FEW_PASSING ? undefined : new Set(ids)
}

/** Checks each word against the few chunks. Unscored chunks get the weight of one such word in a chunk of average length. */
function matchesAmong({ prepare, query, documents, size }: Search, ids: ReadonlySet<number>, scored: readonly Candidate[]): Candidate[] {
  const { any, all = [], role } = query
  const scores = new Map<number, number>()
  let required = ids
  for (const term of [...all, ...any]) {
    const count = documents(term)
    const match = matchExpression({ any: [term], ...given({ role }) })
    const found = match === undefined ? [] : holders({ prepare, match, asked: required, scan: count <= SCAN_A_LOOK_UP * required.size })
    const weight = Math.max(weightOf(count, size()), LEAST_WEIGHT)
    for (const id of found) scores.set(id, (scores.get(id) ?? 0) + weight)
    if (all.includes(term)) required = new Set(found)
  }
  for (const { id, score } of scored) if (scores.has(id)) scores.set(id, score)
  return Array.from(scores, ([id, score]) => ({ id, score }))
    .filter(({ id }) => required.has(id))
    .sort((a, b) => b.score - a.score || a.id - b.id)
}

function newest({ prepare, filter }: Search): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const statement = prepare(`select c.id, 0.0 as score from index_chunks c where ${sql} order by c.timestamp desc, c.id desc`)
  return statement.iterate(params) as Iterable<Candidate>
}

function everyMatch({ prepare, query, filter }: Search): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const match = matchExpression(query)
  const statement = prepare(`select c.id, ${scoreOf(query)} as score from chunks_fts cross join index_chunks c on c.id = chunks_fts.rowid
    where chunks_fts match @match and ${sql} order by score desc, c.id`)
  return statement.iterate({ ...params, match }) as Iterable<Candidate>
}

/** Keeps the order. Looks up only as many as needed, because most filters pass most chunks. */
function* filtered({ prepare, filter, limit }: Search, candidates: readonly Candidate[]): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const pass = prepare(`select c.id from json_each(@ids) w cross join index_chunks c on c.id = w.value where ${sql}`).pluck()
  for (let from = 0, size = limit; from < candidates.length; from += size, size *= 2) {
    const some = candidates.slice(from, from + size)
    const passed = new Set(pass.all({ ...params, ids: JSON.stringify(some.map(({ id }) => id)) }))
    yield* some.filter(({ id }) => passed.has(id))
  }
}

/** Only chunks in which the requested role or person said it. */
function passing({ prepare, stem, query, filter, limit }: Search, candidates: Iterable<Candidate>): LexicalHit[] {
  const said = spokenCheck(query, filter.speaker, stem)
  const text = prepare('select speakers, said_user, said_assistant from index_chunks where id = ?')
  const hits: LexicalHit[] = []
  for (const { id, score } of candidates) {
    const row = said && (text.get(id) as Spoken | undefined)
    if (!said || (row && said(row))) hits.push({ chunkId: id, score })
    if (hits.length === limit) break
  }
  return hits
}
