/** Full-text look-ups by FTS5, on the read-only connection. Text from outside is bound or quoted, never part of a statement. */
import type Database from 'better-sqlite3'
import type { ChunkFilter, Lexical, LexicalHit, LexicalQuery, Term } from '../lexical.ts'
import { chunkCondition, registerConditionFunctions } from './chunk-condition.ts'
import { matchExpression, phrase } from './match-expression.ts'
import { holdsLiteral, type Spoken, spokenCheck } from './own-words.ts'
import { type Stemmer, stemmer } from './stemmer.ts'

/** Columns said_user, said_assistant, extra_terms: parts of an identifier tell less than a word that stands there. */
const SCORE = '-bm25(chunks_fts, 1.0, 1.0, 0.5)'
/** A prefix is counted over at most so many words of the vocabulary. */
const PREFIX_WORDS = 500
const LAST_CHARACTER = '\u{10FFFF}'

/** Reading a term's list of chunks is this much cheaper, a chunk, than looking one chunk up in it. */
const SCAN_A_LOOK_UP = 20
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
  // Counted once for each state of the file: over a million chunks it takes longer than the rest of a search.
  let counted = { version: Number.NaN, chunks: 0 }
  const count = () => {
    const version = db.pragma('data_version', { simple: true }) as number
    if (version !== counted.version) counted = { version, chunks: (prepare('select count(*) as n from chunks').get() as { n: number }).n }
    return counted.chunks
  }
  let made: Stemmer | undefined
  const stem = () => {
    made ??= stemmer()
    return made
  }
  const searchable = (terms: readonly Term[]) => terms.filter((term) => tokens(term, stem()).length > 0)
  const documents = (term: Term) => {
    const words = tokens(term, stem())
    const counts = words.map((word, i) => frequency(prepare, word, term.prefix === true && i === words.length - 1))
    return counts.length === 0 ? 0 : Math.min(...counts)
  }

  return {
    size: async () => count(),

    documentFrequency: async (term) => documents(term),

    async search(query, filter, limit) {
      const asked = { ...query, any: searchable(query.any), all: searchable(query.all ?? []) }
      const match = matchExpression(asked)
      const empty = query.any.length + (query.all?.length ?? 0) === 0
      if (match === undefined && !empty) return []
      return best({ prepare, stem, query: asked, filter, match, limit })
    },

    async holding(terms, chunkIds) {
      const asked = new Set(chunkIds)
      return terms.map((term) => {
        const most = documents(term)
        if (most === 0 || asked.size === 0) return new Set<number>()
        const found = holders({ prepare, match: phrase(term), asked, scan: most <= SCAN_A_LOOK_UP * asked.size })
        return new Set(term.pieces ? found.filter((id) => holdsText(prepare, id, term)) : found)
      })
    },
  }
}

function tokens(term: Term, stem: Stemmer): readonly string[] {
  return term.words.flatMap((word) => stem.tokens(word))
}

function frequency(prepare: Prepare, word: string, prefix: boolean): number {
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
  const one = prepare('select rowid from chunks_fts where chunks_fts match ? and rowid = ?').pluck()
  if (!scan) return [...asked].filter((id) => one.get(match, id) !== undefined)
  const ids = prepare('select rowid from chunks_fts where chunks_fts match ?').pluck().all(match) as number[]
  return ids.filter((id) => asked.has(id))
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
  const top = search.prepare(`select rowid as id, ${SCORE} as score from chunks_fts where chunks_fts match ?
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

function everyMatch({ prepare, filter }: Search, match: string): Iterable<Candidate> {
  const { sql, params } = chunkCondition(filter)
  const statement = prepare(`select c.id, ${SCORE} as score from chunks_fts cross join chunks c on c.id = chunks_fts.rowid
    where chunks_fts match @match and ${sql} order by score desc, c.id`)
  return statement.iterate({ ...params, match }) as Iterable<Candidate>
}

/** Those candidates that pass the filter, in the same order. */
function filtered({ prepare, filter }: Search, candidates: readonly Candidate[]): Candidate[] {
  const { sql, params } = chunkCondition(filter)
  const ids = JSON.stringify(candidates.map(({ id }) => id))
  const pass = prepare(`select c.id from json_each(@ids) w cross join chunks c on c.id = w.value where ${sql}`).pluck()
  const passed = new Set(pass.all({ ...params, ids }))
  return candidates.filter(({ id }) => passed.has(id))
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
