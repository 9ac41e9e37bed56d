/** Opens the SQLite store. All pragmas live here. Never touches a foreign file. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import type { Clock } from '../../core/clock.ts'
import { collectGarbage } from '../../core/collect-garbage.ts'
import { MnemonicError } from '../../core/error.ts'
import type { OnProgress } from '../../core/progress.ts'
import type { ReaderRows } from '../reader-rows.ts'
import type { ReadOnlyReason, Store, WriteWait } from '../store.ts'
import type { StoreFile } from '../store-file.ts'
import type { Work } from '../work.ts'
import { sqliteFile } from './files/store-file.ts'
import { headerOf } from './header.ts'
import { kysely } from './kysely.ts'
import { lexical } from './lexical/lexical.ts'
import { APPLICATION_ID, migrate, requireCurrent, settleMigrated } from './migrate/migrate.ts'
import { cannotWrite, openReadOnly, type ReadOnlyDatabase, readOnlyReason, withFileOf } from './read-only.ts'
import { noteStatements } from './rows/note-rows.ts'
import { searchRows } from './rows/search-rows.ts'
import { codedPort } from './statements.ts'
import { isBusy, retryWhileBusy, storageError } from './storage-error.ts'
import { type VectorTuning, vectorSearch } from './vectors/search.ts'
import { whenAsked } from './when-asked.ts'

const OLDEST_SQLITE = [3, 51, 3] as const
const READ_WAIT_MS = 10_000
/** Reads block this thread, so a hurried caller gives up early. */
const HURRIED_WAIT_MS = 50

export interface OpenOptions {
  readonly path: string
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
  /** Opens an existing file at once or fails: no creation, migration or waiting. */
  readonly asIs?: boolean | undefined
  readonly vectors?: VectorTuning
}

export type SqliteStore = Store & { readonly file: StoreFile }

export async function openSqlite(options: OpenOptions): Promise<SqliteStore> {
  const { path, clock, signal, onProgress } = options
  if (options.asIs) return openAsIs(options)
  let writer: Database.Database | undefined
  try {
    prepareFile(path)
    // Several processes may create the file at once, and each step can meet a foreign lock.
    const connected = await retryWhileBusy(() => connect(path), { signal })
    writer = connected
    if (await migrate(connected, { clock, onProgress, signal })) await settleMigrated(connected, path)
  } catch (error) {
    writer?.close()
    return openUnwritable(options, error)
  }
  const written = writer
  const reader = new Database(path, { readonly: true, timeout: READ_WAIT_MS })
  sqliteVec.load(reader)
  return sqliteStore(options, { reader, writer: () => written, opened: () => written })
}

function openAsIs(options: OpenOptions): SqliteStore {
  const { path } = options
  if (!existsSync(path)) throw noDatabase(path)
  if (headerOf(path) === 'other') throw notOurs(path, 'it is not an SQLite database')
  try {
    const { db: reader, isCopy } = openReadOnly(path, { timeout: HURRIED_WAIT_MS, hurried: true })
    try {
      requireReadable(reader, path)
      if (isCopy) return unwritable(options, { db: reader, isCopy }, 'read-only')
      // Lazy writer: most hooks write little, and another connection costs as much as a search.
      let writer: Database.Database | undefined
      const writing = () => {
        writer ??= connect(path)
        return writer
      }
      return sqliteStore(options, { reader, writer: writing, opened: () => writer })
    } catch (error) {
      reader.close()
      throw error
    }
  } catch (error) {
    throw storageError(error, path)
  }
}

/** Opens read-only. Rethrows `error`, from opening for writing, if that would not help. */
function openUnwritable(options: OpenOptions, error: unknown): SqliteStore {
  const { path } = options
  const reason = readOnlyReason(error)
  if (reason === undefined || !isDatabase(path)) throw storageError(error, path)
  try {
    const opened = openReadOnly(path, { timeout: READ_WAIT_MS })
    try {
      requireReadable(opened.db, path)
      return unwritable(options, opened, reason)
    } catch (unread) {
      opened.db.close()
      throw unread
    }
  } catch (unread) {
    const isOlder = unread instanceof MnemonicError && unread.code === 'DATABASE_OLDER'
    throw storageError(isOlder ? error : unread, path)
  }
}

function unwritable(options: OpenOptions, { db, isCopy }: ReadOnlyDatabase, reason: ReadOnlyReason): SqliteStore {
  const writer = () => {
    throw cannotWrite(options.path, reason)
  }
  const store = sqliteStore(options, { reader: db, writer, opened: () => undefined })
  const diagnose: Store['diagnose'] = async () => (await import('./diagnose.ts')).diagnose(db)
  const selectRedacted: Store['selectRedacted'] = async (sql, asked) => {
    const run = (await import('./select/select-redacted.ts')).selectRedacted
    return withFileOf(db, (path) => run(path, sql, asked))
  }
  return Object.assign(store, { readOnly: reason, diagnose }, isCopy ? { selectRedacted } : {})
}

function requireReadable(db: Database.Database, path: string): void {
  sqliteVec.load(db)
  requireSqlite(db)
  requireOurs(db, path)
  requireCurrent(db)
}

function isDatabase(path: string): boolean {
  try {
    return ['wal', 'plain'].includes(headerOf(path))
  } catch {
    return false // missing or unreadable: the open error explains it
  }
}

function noDatabase(path: string): MnemonicError {
  return new MnemonicError('NOT_FOUND', `there is no database at ${path}`, { details: { path }, hint: 'mnemonic sync makes one.' })
}

interface Connections {
  readonly reader: Database.Database
  readonly writer: () => Database.Database
  readonly opened: () => Database.Database | undefined
}

function sqliteStore({ path, clock, vectors }: OpenOptions, { reader, writer, opened }: Connections): SqliteStore {
  const read = whenAsked(() => kysely(reader))
  const openTx = whenAsked(async () => (await import('./write-tx.ts')).writeTx(writer(), clock))
  const begin = whenAsked(() => writer().prepare('begin immediate'))
  const commit = whenAsked(() => writer().prepare('commit'))
  const notes = whenAsked(() => noteStatements(writer()))
  const tasks = whenAsked(async () => (await import('./rows/task-rows.ts')).taskStatements(writer, reader))
  let queue: Promise<unknown> = Promise.resolve()

  async function transaction<T>(work: () => Promise<T>, wait?: WriteWait): Promise<T> {
    try {
      await retryWhileBusy(() => begin().run(), wait)
      const result = await work()
      commit().run()
      // Collect between transactions, where the least memory is in use.
      collectGarbage()
      return result
    } catch (error) {
      if (opened()?.inTransaction) writer().exec('rollback')
      throw storageError(error, path)
    }
  }

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const run = queue.then(work)
    queue = run.catch(() => undefined) // the caller gets the error; the queue must go on
    return run
  }

  const store: SqliteStore = {
    location: path,
    get read() {
      return read()
    },
    rows: searchRows(reader),
    reader: codedPort(rowsOfReader(reader), path),
    lexical: codedPort(lexical(reader), path),
    work: codedPort(workSearch(reader), path),
    tasks: {
      leave: (task, wait) =>
        alone(async () => {
          const { leave } = await tasks()
          return transaction(async () => leave(task), wait)
        }),
      lease: async (name) => (await tasks()).lease(name),
    },
    vectors: codedPort(vectorSearch(reader, vectors), path),
    write: (work, wait) =>
      alone(async () => {
        const tx = await openTx()
        return transaction(() => work(tx), wait)
      }),
    noteSearch: ({ returned, ...row }, wait) =>
      alone(() =>
        transaction(async () => {
          notes().searched(row)
          for (const { kind, id } of returned) notes().returned({ kind, id, agent_id: row.agent_id, last_at: row.created_at })
        }, wait),
      ),
    noteReturned: ({ returned, agent_id, created_at: last_at }, wait) =>
      alone(() =>
        transaction(async () => {
          for (const { kind, id } of returned) notes().returned({ kind, id, agent_id, last_at })
        }, wait),
      ),
    noteGiven: ({ pieces, expired_before, ...row }, wait) =>
      alone(() =>
        transaction(async () => {
          notes().dropGivenBefore(expired_before)
          for (const piece of pieces) notes().gave({ ...row, ...piece })
        }, wait),
      ),
    noteMoment: ({ pieces, expired_before, most, ...row }, wait) =>
      alone(() =>
        transaction(async () => {
          notes().dropGivenBefore(expired_before)
          return notes().moments(row) < most && pieces.every((piece, i) => notes().gave({ ...row, ...piece }) || i > 0)
        }, wait),
      ),
    openSource: async (source) => (await import('./source-database.ts')).openSourceDatabase(source, dirname(path)),
    rebuildText: () => store.write(async () => (await import('./work/rebuild-text.ts')).rebuildText(writer())),
    async *walk(table, columns) {
      yield* (await import('./walk.ts')).walkTable(reader, table, columns)
    },
    tables: async () => (await import('./walk.ts')).listTables(reader),
    diagnose: () => store.write(async () => (await import('./diagnose.ts')).diagnose(reader, writer())),
    quickFaults: async (budgetMs) => (await import('./diagnose.ts')).quickFaults(reader, budgetMs),
    select: async (sql, limit) => (await import('./select/select.ts')).select(reader, sql, limit),
    selectRedacted: async (sql, options) => (await import('./select/select-redacted.ts')).selectRedacted(path, sql, options),
    file: sqliteFile({ path, writer, reader, alone }),
    async close() {
      await queue
      reader.close()
      opened()?.close()
    },
  }
  return store
}

function workSearch(reader: Database.Database): Work {
  const made = whenAsked(async () => (await import('./work/work.ts')).work(reader))
  return {
    tools: 'all',
    search: async (query, filter, limit) => (await made()).search(query, filter, limit),
    calls: async (ids, maxChars) => (await made()).calls(ids, maxChars),
    files: async (filter, limit) => (await made()).files(filter, limit),
    changedSince: async (session, limit) => (await made()).changedSince(session, limit),
    documentFrequency: async (term) => (await made()).documentFrequency(term),
    coverage: async () => (await made()).coverage(),
  }
}

function rowsOfReader(reader: Database.Database): ReaderRows {
  const made = whenAsked(async () => (await import('./rows/reader-rows.ts')).readerRows(reader))
  return {
    given: async (session) => (await made()).given(session),
    session: async (harness, nativeId, prompts) => (await made()).session(harness, nativeId, prompts),
    files: async (sessionId, most) => (await made()).files(sessionId, most),
    projects: async (agentId) => (await made()).projects(agentId),
    entities: async (agentId, names) => (await made()).entities(agentId, names),
    byFirstName: async (agentId, names) => (await made()).byFirstName(agentId, names),
    owners: async (agentId, ownerId) => (await made()).owners(agentId, ownerId),
    aliases: async (entityIds) => (await made()).aliases(entityIds),
    holdsPersonal: async () => (await made()).holdsPersonal(),
    channels: async () => (await made()).channels(),
    acquainted: async (handles) => (await made()).acquainted(handles),
    threadsNamedIn: async (text, shortest) => (await made()).threadsNamedIn(text, shortest),
    stated: async (request) => (await made()).stated(request),
  }
}

function connect(path: string): Database.Database {
  const db = new Database(path, { timeout: 0 }) // we retry instead, to keep the event loop free
  try {
    sqliteVec.load(db)
    requireSqlite(db)
    requireOurs(db, path)
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = normal')
    db.pragma('foreign_keys = on')
    db.pragma('secure_delete = fast')
    db.pragma('cache_size = -16384') // larger fills up over a long run for no gain: the OS caches pages too
    db.pragma('temp_store = memory')
    db.pragma('wal_autocheckpoint = 4000')
    return db
  } catch (error) {
    db.close()
    throw isBusy(error) ? error : storageError(error, path)
  }
}

/** Owner-only permissions. Rejects a file that SQLite did not write. */
function prepareFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a+', 0o600))
  } catch (error) {
    throw new MnemonicError('STORAGE_ERROR', `cannot open ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      details: { path },
      hint: 'Check that the folder is yours and writable, or point MNEMONIC_HOME elsewhere.',
      cause: error,
    })
  }
  if (headerOf(path) === 'other') throw notOurs(path, 'it is not an SQLite database')
}

function notOurs(path: string, why: string): MnemonicError {
  return new MnemonicError('NOT_A_DATABASE', `cannot use ${path}: ${why}`, {
    details: { path },
    hint: 'Nothing was changed. If this was your memory, its first page is damaged: mnemonic restore FILE brings a backup back. Otherwise move the file away, or point MNEMONIC_HOME elsewhere.',
  })
}

/** An empty file is accepted. */
function requireOurs(db: Database.Database, path: string): void {
  if (db.pragma('application_id', { simple: true }) === APPLICATION_ID) return
  const { n } = db.prepare('select count(*) as n from sqlite_master').get() as { n: number }
  if (n > 0) throw notOurs(path, 'it is the database of another program')
}

function requireSqlite(db: Database.Database): void {
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  const found = version.split('.').map(Number)
  for (const [i, least] of OLDEST_SQLITE.entries()) {
    const part = found[i] ?? 0
    if (part > least) return
    if (part < least) {
      throw new MnemonicError(
        'UNSUPPORTED_RUNTIME',
        `SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} is the oldest that is safe here`,
        {
          details: { version },
          hint: 'Reinstall better-sqlite3: npm rebuild better-sqlite3',
        },
      )
    }
  }
}
