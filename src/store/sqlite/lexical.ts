/** Full-text look-ups by FTS5, on the read-only connection. Text from outside is bound or quoted, never part of a statement. */
import type Database from 'better-sqlite3'
import type { ChunkFilter, Lexical, LexicalHit, LexicalQuery, Term } from '../lexical.ts'
import { chunkCondition, registerConditionFunctions } from './chunk-condition.ts'
import { matchExpression, phrase } from './match-expression.ts'
import { type Spoken, spokenCheck } from './own-words.ts'
import { type Stemmer, stemmer } from './stemmer.ts'

/** Columns said_user, said_assistant, extra_terms: parts of an identifier tell less than a word that stands there. */
const SCORE = '-bm25(chunks_fts, 1.0, 1.0, 0.5)'
/** A prefix is counted over at most so many words of the vocabulary. */
const PREFIX_WORDS = 500
const LAST_CHARACTER = '\u{10FFFF}'

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
  let made: Stemmer | undefined
  const stem = () => {
    made ??= stemmer()
    return made
  }
  const searchable = (terms: readonly Term[]) => terms.filter((term) => tokens(term, stem()).length > 0)

  return {
    size: async () => (prepare('select max(id) as n from chunks').get() as { n: number | null }).n ?? 0,

    async documentFrequency(term) {
      const words = tokens(term, stem())
      const counts = words.map((word, i) => frequency(prepare, word, term.prefix === true && i === words.length - 1))
      return counts.length === 0 ? 0 : Math.min(...counts)
    },

    async search(query, filter, limit) {
      const asked = { ...query, any: searchable(query.any), all: searchable(query.all ?? []) }
      const match = matchExpression(asked)
      const empty = query.any.length + (query.all?.length ?? 0) === 0
      if (match === undefined && !empty) return []
      return best({ prepare, stem, query: asked, filter, match, limit })
    },

    async holding(terms, chunkIds) {
      const lookUp = prepare(`select w.value from json_each(?) w cross join chunks_fts
        where chunks_fts match ? and chunks_fts.rowid = w.value`).pluck()
      const ids = JSON.stringify(chunkIds)
      return terms.map((term) => new Set(tokens(term, stem()).length === 0 ? [] : (lookUp.all(ids, phrase(term)) as number[])))
    },
  }
}

function tokens(term: Term, stem: Stemmer): readonly string[] {
  return term.words.flatMap((word) => stem.tokens(word))
}

function frequency(prepare: (sql: string) => Database.Statement, word: string, prefix: boolean): number {
  const row = prefix
    ? prepare(`select sum(doc) as n from (select doc from chunks_vocab where term >= ? and term <= ? limit ${PREFIX_WORDS})`).get(
        word,
        word + LAST_CHARACTER,
      )
    : prepare('select doc as n from chunks_vocab where term = ?').get(word)
  return (row as { n: number | null } | undefined)?.n ?? 0
}

interface Search {
  readonly prepare: (sql: string) => Database.Statement
  readonly stem: () => Stemmer
  readonly query: LexicalQuery
  readonly filter: ChunkFilter
  readonly match: string | undefined
  readonly limit: number
}

function best({ prepare, stem, query, filter, match, limit }: Search): LexicalHit[] {
  const condition = chunkCondition(filter)
  const check = spokenCheck(query, filter.speaker, stem)
  const from =
    match === undefined
      ? `select c.id, 0.0 as score from chunks c where ${condition.sql} order by c.timestamp desc, c.id desc`
      : `select c.id, ${SCORE} as score from chunks_fts cross join chunks c on c.id = chunks_fts.rowid
          where chunks_fts match @match and ${condition.sql} order by score desc, c.id`
  const params = match === undefined ? condition.params : { ...condition.params, match }
  const ranked = prepare(`${from} limit @limit`)
  if (!check) return (ranked.all({ ...params, limit }) as Candidate[]).map(hit)
  const spoken = prepare('select speakers, said_user, said_assistant from chunks where id = ?')
  const hits: LexicalHit[] = []
  for (const row of ranked.iterate({ ...params, limit: -1 }) as IterableIterator<Candidate>) {
    const text = spoken.get(row.id) as Spoken | undefined
    if (text && check(text)) hits.push(hit(row))
    if (hits.length === limit) break
  }
  return hits
}

function hit({ id, score }: Candidate): LexicalHit {
  return { chunkId: id, score }
}
