/** Translates public rows to the compact tables behind the views. */
import type Database from 'better-sqlite3'
import type { ChunkRows, ExtractionRow, NewChunk, NewFile } from '../../chunk-rows.ts'
import { hashKey, keyOf } from './hash-key.ts'
import { insertStatement } from './insert-statement.ts'
import { manyKeys } from './many-keys.ts'

export function chunkRows(db: Database.Database): ChunkRows {
  let prepared: ReturnType<typeof prepare> | undefined
  const s = () => {
    prepared ??= prepare(db)
    return prepared
  }
  return {
    add: async (row) => s().addChunk(s().narrowChunks([row])),
    addAll: async (rows) => void s().addChunks(s().narrowChunks(rows)),
    addFiles: async (rows) => {
      const numbers = knownWords(s().numbers)
      s().addFiles(rows.map((row) => narrowFile(numbers, row)))
    },
    documentId: async (document) => s().documentId(document),
    extractions: async (hashes) => s().extractions(hashes),
    addExtractions: async (rows) =>
      void s().addExtractions(
        rows.map((row) => ({
          hash: hashKey(row.content_hash),
          extractor: s().numbers.word(row.extractor),
          value_json: row.value_json,
        })),
      ),
  }
}

function prepare(db: Database.Database) {
  const numbers = indexNumbers(db)
  const ofTurn = db.prepare('select id from index_files where turn_id = ?').pluck()
  const ofPath = db
    .prepare('select f.id from index_files f where f.path = ? and f.source = (select number from index_words where word = ?)')
    .pluck()
  const documentId = ({ path, source, turn_id }: Pick<NewFile, 'path' | 'source' | 'turn_id'>) => {
    const found = turn_id === null || turn_id === undefined ? undefined : ofTurn.get(turn_id)
    return (found ?? ofPath.get(path, source)) as number | undefined
  }
  return {
    numbers,
    documentId,
    narrowChunks: (rows: readonly NewChunk[]) => narrowChunks(numbers, documentId, rows),
    addChunk: insertStatement(db, 'index_chunks', { atOnce: 1 }),
    // A trigger opens a savepoint per statement, at which FTS5 flushes: more rows per statement mean fewer flushes and merges.
    addChunks: insertStatement(db, 'index_chunks', { atOnce: 64 }),
    addFiles: insertStatement(db, 'index_files', { atOnce: 1 }),
    extractions: manyKeys<ExtractionRow>(
      db,
      (list) => `with asked (content_hash) as (${list.startsWith('select') ? list : `select ${list}`})
        select k.content_hash as key, k.content_hash, w.word as extractor, x.value_json from asked k
        cross join extractions x on x.hash = ${keyOf('k.content_hash')} cross join index_words w on w.number = x.extractor`,
    ),
    addExtractions: insertStatement(db, 'extractions', { atOnce: 32, keepOld: true }),
  }
}

const FOLDERS: Readonly<Record<string, string>> = { turn: 'turns', compaction: 'compactions' }

/** Does not store a path that folder, kind and turn determine. */
function narrowFile(numbers: IndexNumbers, row: NewFile): object {
  const { path, source, hash, agent_id = 'main', session_id, turn_id, kind, chunk_count, identity, updated_at, shortened } = row
  const session = session_id === null || session_id === undefined ? undefined : numbers.session(session_id)
  const end = `/${FOLDERS[kind]}/${turn_id}.md`
  let follows = false
  if (session !== undefined && kind in FOLDERS && path.endsWith(end)) {
    const folder = path.slice(0, -end.length)
    if (session.folder === null) numbers.setFolder(session.number, folder)
    follows = session.folder === null || session.folder === folder
  }
  return {
    session: session?.number ?? null,
    turn_id: turn_id ?? null,
    path: follows ? null : path,
    ...{ source: numbers.word(source), kind: numbers.word(kind), agent: numbers.word(agent_id), identity: numbers.word(identity) },
    ...{ chunk_count: chunk_count ?? 0, updated_at, hash: hashKey(hash), shortened: shortened ?? null },
  }
}

type FindDocument = (document: Pick<NewFile, 'path' | 'source' | 'turn_id'>) => number | undefined

function narrowChunks(numbers: IndexNumbers, documentId: FindDocument, rows: readonly NewChunk[]): object[] {
  const { word } = knownWords(numbers)
  const sessions = new Map<string, number>()
  const sessionOf = (id: string) => {
    const known = sessions.get(id) ?? numbers.session(id).number
    sessions.set(id, known)
    return known
  }
  let last: { readonly row: NewChunk; readonly file: number | undefined } | undefined
  return rows.map((row) => {
    const { path, source, ledger, agent_id = 'main', session_id, turn_id, trust, content_hash, ...rest } = row
    if (last?.row.path !== path || last.row.source !== source) last = { row, file: documentId({ path, source, turn_id: turn_id ?? null }) }
    return {
      ...rest,
      file: last.file,
      session: session_id === null || session_id === undefined ? null : sessionOf(session_id),
      ...{ ledger: word(ledger), agent: word(agent_id), trust: word(trust), content_hash: hashKey(content_hash) },
    }
  })
}

/** Ids of words and sessions. No cache across transactions: a rollback would invalidate it. */
interface IndexNumbers {
  word(word: string): number
  session(id: string): IndexSession
  setFolder(number: number, folder: string): void
}

interface IndexSession {
  readonly number: number
  readonly folder: string | null
}

function knownWords(numbers: IndexNumbers): IndexNumbers {
  const words = new Map<string, number>()
  return {
    ...numbers,
    word(text) {
      const known = words.get(text) ?? numbers.word(text)
      words.set(text, known)
      return known
    },
  }
}

export function indexNumbers(db: Database.Database): IndexNumbers {
  const findWord = db.prepare('select number from index_words where word = ?').pluck()
  const addWord = db.prepare('insert into index_words (word) values (?)')
  const findSession = db.prepare('select number, folder from index_sessions where id = ?')
  const addSession = db.prepare('insert into index_sessions (id) values (?)')
  const folder = db.prepare('update index_sessions set folder = ? where number = ?')
  return {
    word: (word) => (findWord.get(word) as number | undefined) ?? Number(addWord.run(word).lastInsertRowid),
    session: (id) =>
      (findSession.get(id) as IndexSession | undefined) ?? { number: Number(addSession.run(id).lastInsertRowid), folder: null },
    setFolder: (number, path) => void folder.run(path, number),
  }
}
