/** Full-text look-ups by FTS5, on the read-only connection. Text from outside is bound or quoted, never part of a statement. */
import type Database from 'better-sqlite3'
import type { ChunkFilter, Lexical, LexicalHit, LexicalQuery, Term } from '../lexical.ts'
import { chunkCondition, registerConditionFunctions } from './chunk-condition.ts'
import { matchExpression, phrase } from './match-expression.ts'
import { holdsLiteral, type Spoken, spokenCheck } from './own-words.ts'
import { type Stemmer, stemmer } from './stemmer.ts'

/** Columns said_user, said_assistant, extra_terms: parts of an identifier tell less than a word that stands there. */
const SCORE = '-bm25(chunks_fts, 1.0, 1.0, 0.5)'
/** Terms that raise the score make the expression name every term twice. */
const scoreOf = ({ all = [], raise = [] }: LexicalQuery) => (raise.length > 0 && all.length === 0 ? `${SCORE} / 2` : SCORE)
/** A prefix is counted over at most so many words of the vocabulary. */
const PREFIX_WORDS = 500
const MOST_KEPT = 1000
const LAST_CHARACTER = '\u{10FFFF}'

/** Reading a term's list of chunks is this much cheaper, a chunk, than looking one chunk up in it. */
const SCAN_A_LOOK_UP = 300
const LEAST_TOP = 3000
const TOP_A_HIT = 10

type Prepare = (sql: string) => Database.Statement

interface Candidate {
  readonly id: number
  readonly score: number
}

export function lexical(db: Database.Database): Lexical {
  registerConditionFunctions(db)
  const statements = new Map<string, Database.Statement>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    const made = db.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const count = chunkCounter(prepare)
  let made: Stemmer | undefined
  const stem = () => {
    made ??= stemmer()
    return made
  }
  const searchable = (terms: readonly Term[]) => terms.filter((term) => tokens(term, stem()).length > 0)
  const frequency = frequencies(prepare)
  const documents = (term: Term) => {
    const words = tokens(term, stem())
    const counts = words.map((word, i) => frequency(word, term.prefix === true && i === words.length - 1))
    return counts.length === 0 ? 0 : Math.min(...counts)
  }

  const holdersOf = (term: Term, asked: ReadonlySet<number>): number[] => {
    const most = documents(term)
    if (most === 0 || asked.size === 0) return []
    const found = holders({ prepare, match: phrase(term), asked, scan: most <= SCAN_A_LOOK_UP * asked.size })
    return term.pieces ? found.filter((id) => holdsText(prepare, id, term)) : found
  }

  return {
    size: async () => count(),

    documentFrequency: async (term) => documents(term),

    async search(query, filter, limit) {
      const { any, all = [], raise = [] } = query
      const asked = { ...query, any: searchable(any), all: searchable(all), raise: searchable(raise) }
      const match = matchExpression(asked)
      const empty = any.length + all.length === 0
      if (match === undefined && !empty) return []
      return best({ prepare, stem, query: asked, filter, match, limit })
    },

    async holding(terms, chunkIds) {
      const asked = new Set(chunkIds)
      return terms.map((term) => new Set(holdersOf(term, asked)))
    },
  }
}

/**
 * Over a million chunks counting takes longer than the rest of a search, and every search writes its own note into the file: so it is
 * counted again only when there is a newer chunk. What went without one coming is still counted: never less than there are.
 */
function chunkCounter(prepare: Prepare): () => number {
  let counted = { newest: 0, chunks: 0 }
  return () => {
    const newest = prepare('select max(id) from chunks').pluck().get() as number | null
    if (newest === null) counted = { newest: 0, chunks: 0 }
    else if (newest !== counted.newest) counted = { newest, chunks: prepare('select count(*) from chunks').pluck().get() as number }
    return counted.chunks
  }
}

function tokens(term: Term, stem: Stemmer): readonly string[] {
  return term.words.flatMap((word) => stem.tokens(word))
}

/** The engine reads a word's whole list to count it, and common words are asked for often: counts are kept while the index stays as it is. */
function frequencies(prepare: Prepare): (word: string, prefix: boolean) => number {
  const known = new Map<string, number>()
  let state: unknown
  return (word, prefix) => {
    // Two records of FTS5 itself, its totals and its list of segments: one of them changes with every change of the index, and not with a search's own note.
    const now = prepare('select group_concat(hex(block)) from (select block from chunks_fts_data where id in (1, 10) order by id)')
      .pluck()
      .get()
    if (now !== state || known.size > MOST_KEPT) known.clear()
    state = now
    const key = `${prefix ? '*' : ' '}${word}`
    const count = known.get(key) ?? countOf(prepare, word, prefix)
    known.set(key, count)
    return count
  }
}

function countOf(prepare: Prepare, word: string, prefix: boolean): number {
  const row = prefix
    ? prepare(`select sum(doc) as n from (select doc from chunks_vocab where term >= ? and term <= ? limit ${PREFIX_WORDS})`).get(
        word,
        word + LAST_CHARACTER,
      )
    : prepare('select doc as n from chunks_vocab where term = ?').get(word)
  return (row as { n: number | null } | undefined)?.n ?? 0
}

interface Holders {
  readonly prepare: Prepare
  readonly match: string
  readonly asked: ReadonlySet<number>
  /** Read the whole list instead of looking each chunk up. */
  readonly scan: boolean
}

/** Those of the chunks that match. */
function holders({ prepare, match, asked, scan }: Holders): number[] {
  const ids = JSON.stringify([...asked])
  // The plus keeps the engine from looking each chunk up. A number of JavaScript would be bound as a float, which FTS5 does not take for a rowid.
  const rowid = scan ? '+rowid' : 'rowid'
  const holding = prepare(`select rowid from chunks_fts where chunks_fts match ? and ${rowid} in (select value from json_each(?))`)
  return holding.pluck().all(match, ids) as number[]
}

function holdsText(prepare: Prepare, id: number, term: Term): boolean {
  const row = prepare('select speakers, said_user, said_assistant from chunks where id = ?').get(id) as Spoken | undefined
  return row !== undefined && holdsLiteral(`${row.said_user}\n${row.said_assistant}`, term)
}

interface Search {
  readonly prepare: Prepare
  readonly stem: () => Stemmer
  readonly query: LexicalQuery
  readonly filter: ChunkFilter
  readonly match: string | undefined
  readonly limit: number
}

/**
 * Looking up the chunk of every match costs more than scoring it. So the best matches are taken first and filtered then; only
 * when too few of them pass, all matches are filtered. Both ways give the same answer.
 */
function best(search: Search): LexicalHit[] {
  if (search.match === undefined) return passing(search, newest(search))
  const top = search.prepare(`select rowid as id, ${scoreOf(search.query)} as score from chunks_fts where chunks_fts match ?
    order by score desc, rowid limit ?`)
  const most = Math.max(LEAST_TOP, TOP_A_HIT * search.limit)
  const first = top.all(search.match, most) as Candidate[]
  const hits = passing(search, filtered(search, first))
  return hits.length === search.limit || first.length < most ? hits : passing(search, everyMatch(search, search.match))
}

function newest({ prepare, filter }: Search): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const statement = prepare(`select c.id, 0.0 as score from chunks c where ${sql} order by c.timestamp desc, c.id desc`)
  return statement.iterate(params) as Iterable<Candidate>
}

function everyMatch({ prepare, query, filter }: Search, match: string): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const statement = prepare(`select c.id, ${scoreOf(query)} as score from chunks_fts cross join chunks c on c.id = chunks_fts.rowid
    where chunks_fts match @match and ${sql} order by score desc, c.id`)
  return statement.iterate({ ...params, match }) as Iterable<Candidate>
}

/** Those candidates that pass the filter, in the same order. Most filters let most pass: no more are looked up than are asked for. */
function* filtered({ prepare, filter, limit }: Search, candidates: readonly Candidate[]): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const pass = prepare(`select c.id from json_each(@ids) w cross join chunks c on c.id = w.value where ${sql}`).pluck()
  for (let from = 0, size = limit; from < candidates.length; from += size, size *= 2) {
    const some = candidates.slice(from, from + size)
    const passed = new Set(pass.all({ ...params, ids: JSON.stringify(some.map(({ id }) => id)) }))
    yield* some.filter(({ id }) => passed.has(id))
  }
}

/** The first `limit` candidates in which the role or person asked for said it. */
function passing({ prepare, stem, query, filter, limit }: Search, candidates: Iterable<Candidate>): LexicalHit[] {
  const said = spokenCheck(query, filter.speaker, stem)
  const text = prepare('select speakers, said_user, said_assistant from chunks where id = ?')
  const hits: LexicalHit[] = []
  for (const { id, score } of candidates) {
    const row = said && (text.get(id) as Spoken | undefined)
    if (!said || (row && said(row))) hits.push({ chunkId: id, score })
    if (hits.length === limit) break
  }
  return hits
}
