import Database from 'better-sqlite3'

/** Must equal chunks_fts in migrations/004_index.sql; a test compares them. */
export const TOKENIZER = 'porter unicode61 remove_diacritics 2'
const CACHED_WORDS = 20_000
const CACHED_LENGTH = 64

export interface Stemmer {
  tokens(text: string): readonly string[]
  /** Opens a text for match queries; the next call closes it. */
  open(text: string): (match: string) => boolean
}

export function stemmer(tokenizer = TOKENIZER): Stemmer {
  const scratch = new Database(':memory:')
  scratch.exec(`
    create virtual table scratch using fts5 (text, content = '', tokenize = '${tokenizer}');
    create virtual table scratch_tokens using fts5vocab (scratch, instance);`)
  const insert = scratch.prepare('insert into scratch (rowid, text) values (1, ?)')
  const clear = scratch.prepare("insert into scratch (scratch) values ('delete-all')")
  const list = scratch.prepare('select term from scratch_tokens order by offset').pluck()
  const matches = scratch.prepare('select 1 from scratch where scratch match ?').pluck()
  const cache = new Map<string, readonly string[]>()

  function cut(text: string): readonly string[] {
    clear.run()
    insert.run(text)
    return list.all() as string[]
  }

  return {
    tokens(text) {
      const known = cache.get(text)
      if (known) return known
      const tokens = cut(text)
      if (cache.size >= CACHED_WORDS) cache.clear()
      if (text.length <= CACHED_LENGTH) cache.set(text, tokens)
      return tokens
    },
    open(text) {
      clear.run()
      insert.run(text)
      return (match) => matches.get(match) === 1
    },
  }
}
