/** An agent's database (since 2026.7.2), one event per row. Must read only session tables: the file also holds credentials. */
import { isUtf8 } from 'node:buffer'
import { decompress } from 'fzstd'
import { given } from '../../../core/given.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { convertEntry } from '../pi/convert-entry.ts'
import { isHeader, takeHeader } from '../pi/header.ts'
import { newState, type Reading, trimState } from '../pi/read-state.ts'
import { dialectOf } from './dialect.ts'
import { type SessionStore, storeOf } from './session-store.ts'
import { transcriptName } from './transcript-name.ts'

const CHECKPOINT_BYTES = 64 * 1024

/** Signature per transcript: last event, count, rewrites. */
type Known = Record<string, string>

export async function* readDatabase(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  { reader, owners }: { reader: UnitReader; owners: readonly string[] },
): AsyncGenerator<ReadItem, void, undefined> {
  const db = await reader.database(unit.path)
  try {
    const known: Known = { ...(fieldsOf(since?.carry)?.sessions as Known | undefined) }
    const checkpoint = (offset: number): ReadItem => ({ type: 'checkpoint', offset, carry: { sessions: { ...known } } })
    const store = databaseStore(db)
    let read = 0
    let checked = 0
    // Archives first, so that live transcripts win.
    for (const transcript of [...archivedIn(db), ...liveIn(db)]) {
      if (known[transcript.name] === transcript.signature) continue
      for (const { item, bytes } of transcriptItems(db, transcript, { unit, store, owners })) {
        if (item !== undefined) yield item
        read += bytes
        // An interrupted transcript is not in the carry yet, so it is reread whole.
        if (read - checked < CHECKPOINT_BYTES) continue
        yield checkpoint(read)
        checked = read
      }
      known[transcript.name] = transcript.signature
    }
    yield checkpoint(read + 1)
    if (Object.keys(known).length === 0) yield { type: 'warning', message: `no conversation in ${unit.path}` }
  } finally {
    db.close()
  }
}

interface Transcript {
  readonly session: string
  readonly name: string
  readonly signature: string
  readonly archive?: { readonly table: string; readonly row: number }
}

/** Oldest first: shared events belong to the first session. */
function liveIn(db: SourceDatabase): Transcript[] {
  if (!db.columns('transcript_events').has('session_id')) return []
  const generation = db.columns('transcript_rewrite_watermarks').has('generation')
    ? '(select generation from transcript_rewrite_watermarks w where w.session_id = e.session_id)'
    : 'null'
  const began = ['session_windows', 'sessions'].find((table) => ['session_id', 'created_at'].every((name) => db.columns(table).has(name)))
  const order = began === undefined ? '' : `(select created_at from ${began} b where b.session_id = e.session_id), `
  const rows = db.rows<{ session: string; last: number; n: number; generation: unknown }>(
    `select e.session_id as session, max(e.seq) as last, count(*) as n, ${generation} as generation
     from transcript_events e group by e.session_id order by ${order}e.session_id`,
  )
  return [...rows].map(({ session, last, n, generation: g }) => {
    return { session, name: session, signature: `${last} ${n}${g === null ? '' : ` ${g}`}` }
  })
}

/** Compressed transcripts of deleted, reset and idle sessions. */
function archivedIn(db: SourceDatabase): Transcript[] {
  const found: Transcript[] = []
  for (const table of ['session_transcript_archives', 'session_transcript_cold_archives']) {
    const columns = db.columns(table)
    if (!columns.has('session_id') || !columns.has('archive_blob')) continue
    const sql = `select rowid as row, session_id as session, length(archive_blob) as size from ${table} where archive_blob is not null order by rowid`
    for (const { row, session, size } of db.rows<{ row: number; session: string; size: number }>(sql)) {
      found.push({ session, name: `${table} ${row} ${session}`, signature: String(size), archive: { table, row } })
    }
  }
  return found
}

interface At {
  readonly unit: SourceUnit
  readonly store: SessionStore
  readonly owners: readonly string[]
}

function* transcriptItems(
  db: SourceDatabase,
  transcript: Transcript,
  { unit, store, owners }: At,
): Generator<{ item: ReadItem | undefined; bytes: number }, void, undefined> {
  const { session, archive } = transcript
  const { agentId, folder } = transcriptName(unit.path)
  const name = { folder, id: session, ...given({ agentId, archive: archive === undefined ? undefined : 'bak' }) }
  // The row's session wins over the header's.
  const reading: Reading = { dialect: { ...dialectOf(name, store, owners), sessionOf: () => session }, state: newState(), items: [] }
  for (const { line, text } of archive === undefined ? liveTexts(db, session) : archivedTexts(db, archive)) {
    const { values, error } = text === undefined ? { values: [], error: 'cannot be unpacked' } : parseLine(text)
    const bad = (reason: string) => reading.items.push({ type: 'bad_line', line, reason: `${session}: ${reason}` })
    if (error !== undefined) bad(error)
    for (const value of values) {
      if (reading.state.session === '') takeHeader(isHeader(value) ? value : madeHeader(session, value), reading.state, reading.dialect)
      const wrong = convertEntry(value, reading)
      if (wrong !== undefined) bad(wrong)
    }
    trimState(reading.state)
    for (const item of reading.items.splice(0)) yield { item, bytes: 0 }
    yield { item: undefined, bytes: text?.length ?? 0 }
  }
}

interface Line {
  readonly line: number
  readonly text: string | undefined
}

function* liveTexts(db: SourceDatabase, session: string): Generator<Line> {
  const packed = db.columns('transcript_events').has('event_zstd')
  const sql = `select seq, event_json${packed ? ', event_zstd' : ''} from transcript_events where session_id = ? order by seq`
  for (const { seq, event_json, event_zstd } of db.rows<{ seq: number; event_json: unknown; event_zstd?: unknown }>(sql, session)) {
    yield { line: seq, text: typeof event_json === 'string' ? event_json : plain(event_zstd) }
  }
}

function* archivedTexts(db: SourceDatabase, { table, row }: { table: string; row: number }): Generator<Line> {
  const whole = plain(db.first<{ blob: unknown }>(`select archive_blob as blob from ${table} where rowid = ?`, row)?.blob)
  if (whole === undefined) yield { line: 1, text: undefined }
  else for (const [i, text] of whole.split('\n').entries()) yield { line: i + 1, text }
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

function plain(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Buffer.isBuffer(value)) return undefined
  if (!value.subarray(0, 4).equals(ZSTD)) return isUtf8(value) ? value.toString('utf8') : undefined
  try {
    return Buffer.from(decompress(value)).toString('utf8')
  } catch {
    return undefined
  }
}

function madeHeader(session: string, value: unknown): Fields {
  return { type: 'session', id: session, timestamp: isFields(value) ? String(value.timestamp ?? '') : '', version: 3 }
}

/** The tables have had two sets of names. */
function databaseStore(db: SourceDatabase): SessionStore {
  const map: Record<string, unknown> = {}
  for (const table of ['session_entries', 'session_nodes']) {
    const columns = db.columns(table)
    if (!columns.has('session_key') || !columns.has('entry_json')) continue
    const current = ['current_session_id', 'session_id'].find((column) => columns.has(column))
    const sql = `select session_key as key, entry_json as entry${current === undefined ? '' : `, "${current}" as session`} from ${table}`
    for (const { key, entry, session } of db.rows<{ key: string; entry: unknown; session?: unknown }>(sql)) {
      const parsed = fieldsOf(parseLine(String(entry ?? '')).values[0]) ?? {}
      map[key] = { ...parsed, sessionId: textOf(session) ?? parsed.sessionId, sessionFile: undefined }
    }
  }
  const older: [string, string][] = []
  for (const table of ['sessions', 'session_windows']) {
    const columns = db.columns(table)
    if (!columns.has('session_id') || !columns.has('session_key')) continue
    const rows = db.rows<{ id: unknown; key: unknown }>(`select session_id as id, session_key as key from ${table}`)
    for (const { id, key } of rows) if (typeof id === 'string' && typeof key === 'string') older.push([id, key])
  }
  return storeOf(map, older)
}
