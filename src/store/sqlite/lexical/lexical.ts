/** FTS5 on the read-only connection. Outside text is bound or quoted, never SQL. */
import type Database from 'better-sqlite3'
import type { Spoken } from '../../../core/own-words.ts'
import type { Lexical, Term } from '../../lexical.ts'
import { registerConditionFunctions } from '../chunk-condition.ts'
import { type Prepare, preparedOnce } from '../statements.ts'
import { best } from './best.ts'
import { holders, SCAN_A_LOOK_UP } from './holders.ts'
import { phrase } from './match-expression.ts'
import { holdsLiteral } from './own-words.ts'
import { type Stemmer, stemmer } from './stemmer.ts'

/** A prefix count sums at most this many vocabulary words. */
const PREFIX_WORDS = 500
const MOST_KEPT = 1000
const LAST_CHARACTER = '\u{10FFFF}'

export function lexical(db: Database.Database): Lexical {
  registerConditionFunctions(db)
  const prepare = preparedOnce(db)
  const count = chunkCounter(prepare)
  let made: Stemmer | undefined
  let listed = false
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

    async nearWords(word, most) {
      // Lives in this connection's temp schema, so a read-only connection can create it.
      if (!listed) db.exec('create virtual table if not exists temp.chunks_words using fts5vocab (main, chunks_fts, instance)')
      listed = true
      const { nearWords } = await import('./near-words.ts') // most searches have no typo
      return nearWords({ prepare, stem: stem(), size: count() }, word, most)
    },

    async search(query, filter, limit) {
      const { any, all = [], raise = [] } = query
      const asked = { ...query, any: searchable(any), all: searchable(all), raise: searchable(raise) }
      const empty = any.length + all.length === 0
      if (!empty && asked.any.length + asked.all.length === 0) return []
      return best({ prepare, stem, documents, size: count, query: asked, filter, limit })
    },

    async holding(terms, chunkIds) {
      const asked = new Set(chunkIds)
      return terms.map((term) => new Set(holdersOf(term, asked)))
    },
  }
}

/** Counting a million chunks takes longer than a search, so it recounts only after a new chunk. Deletions leave the count too high. */
function chunkCounter(prepare: Prepare): () => number {
  let counted = { newest: 0, chunks: 0 }
  return () => {
    const newest = prepare('select max(id) from index_chunks').pluck().get() as number | null
    if (newest === null) counted = { newest: 0, chunks: 0 }
    else if (newest !== counted.newest) counted = { newest, chunks: prepare('select count(*) from index_chunks').pluck().get() as number }
    return counted.chunks
  }
}

function tokens(term: Term, stem: Stemmer): readonly string[] {
  return term.words.flatMap((word) => stem.tokens(word))
}

/** FTS5 reads a whole posting list to count it, so counts are cached until the index changes. */
function frequencies(prepare: Prepare): (word: string, prefix: boolean) => number {
  const known = new Map<string, number>()
  let version: unknown
  let state: unknown
  return (word, prefix) => {
    // data_version is the cheaper check; it changes with any foreign commit.
    const now = prepare('pragma data_version').pluck().get()
    if (now !== version) {
      version = now
      // FTS5's totals (id 1) and segment list (id 10): every index change alters one, a search log entry neither.
      const records = prepare('select group_concat(hex(block)) from (select block from chunks_fts_data where id in (1, 10) order by id)')
        .pluck()
        .get()
      if (records !== state) known.clear()
      state = records
    }
    if (known.size > MOST_KEPT) known.clear()
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

function holdsText(prepare: Prepare, id: number, term: Term): boolean {
  const row = prepare('select speakers, said_user, said_assistant from index_chunks where id = ?').get(id) as Spoken | undefined
  return row !== undefined && holdsLiteral(`${row.said_user}\n${row.said_assistant}`, term)
}
