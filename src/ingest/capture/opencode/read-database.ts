/** An unchanged session costs one row of counts. */
import { MnemonicError } from '../../../core/error.ts'
import { shortHash } from '../../../core/hash.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, textOf } from '../fields.ts'
import { compactionPart, databaseMessages } from './database-messages.ts'
import { nativeSession } from './native-session.ts'
import { beginSession, endSession, messageItems, passMessage } from './session-items.ts'

const CHECKPOINT_BYTES = 64 * 1024

interface Progress {
  bytes: number
  checked: number
  row: number
  messages: number
  readonly done: Stamps
}

export async function* readDatabase(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const db = await reader.database(unit.path)
  try {
    judge(db, unit.path)
    const progress: Progress = { bytes: 0, checked: 0, row: 0, messages: 0, done: stampsOf(since?.carry) }
    for (const session of sessionStamps(db)) {
      const before = progress.done.get(session.id)
      if (before === session.stamp) continue
      yield* oneSession(db, session, before, progress)
      progress.done.set(session.id, session.stamp)
    }
    yield checkpoint(progress)
    if (since === undefined && progress.messages === 0) yield { type: 'warning', message: `no conversation in ${unit.path}` }
  } finally {
    db.close()
  }
}

function* oneSession(
  db: SourceDatabase,
  stamp: SessionStamp,
  before: string | undefined,
  progress: Progress,
): Generator<ReadItem, void, undefined> {
  const header = db.first<Fields>('select * from session where id = ?', stamp.id)
  if (header === undefined) return
  const was = before === undefined ? undefined : readStamp(before)
  const shrunk = was !== undefined && was.rows > stamp.rows
  const output = beginSession(nativeSession(header, worktreeOf(db, header)), (message) => compactionPart(db, message))
  // Deleted parts may belong to any message: reread all.
  const after = was === undefined || shrunk ? undefined : was.newest
  for (const item of databaseMessages(db, stamp.id, after)) {
    progress.row += 1
    if (item.type === 'same') passMessage(output, item.id)
    else if (item.type === 'bad') yield { type: 'bad_line', line: progress.row, reason: item.reason }
    else if (item.type === 'unknown') yield item
    else {
      yield* messageItems(output, item.message, progress.row)
      progress.messages += 1
      progress.bytes += item.bytes
      // The current session is not marked done: an interrupted read starts it again.
      if (progress.bytes - progress.checked >= CHECKPOINT_BYTES) yield checkpoint(progress)
    }
  }
  yield* endSession(output, was !== undefined && (was.reverted || shrunk))
}

function worktreeOf(db: SourceDatabase, header: Fields): string | undefined {
  const project = textOf(header.project_id)
  if (project === undefined || textOf(header.directory) !== undefined || !db.columns('project').has('worktree')) return undefined
  return textOf(db.first<{ worktree: unknown }>('select worktree from project where id = ?', project)?.worktree)
}

export function isOpenCodeDatabase(db: SourceDatabase): boolean {
  const tables = db.tables()
  const columns = db.columns('session')
  const messages = (tables.has('message') && tables.has('part')) || tables.has('session_message')
  return columns.has('id') && columns.has('project_id') && columns.has('directory') && messages
}

function judge(db: SourceDatabase, path: string): void {
  if (isOpenCodeDatabase(db)) return
  throw new MnemonicError('NOT_THIS_FORMAT', `not an OpenCode database: ${path}`, {
    details: { path, reasons: ['there are no tables session, message and part as OpenCode makes them'] },
  })
}

/** A flat list makes checkpoints cheap to copy. */
interface Stamps {
  get(id: string): string | undefined
  set(id: string, stamp: string): void
  list(): string[]
}

function stampsOf(carry: unknown): Stamps {
  const given = (carry as { sessions?: unknown } | undefined)?.sessions
  const flat: string[] = Array.isArray(given) ? given.map(String) : []
  const positions = new Map<string, number>()
  for (let i = 0; i + 1 < flat.length; i += 2) positions.set(flat[i] as string, i)
  return {
    get(id) {
      const at = positions.get(id)
      return at === undefined ? undefined : flat[at + 1]
    },
    set(id, stamp) {
      const at = positions.get(id)
      if (at !== undefined) flat[at + 1] = stamp
      else positions.set(id, flat.push(id, stamp) - 2)
    },
    list: () => flat.slice(),
  }
}

function checkpoint(progress: Progress): ReadItem {
  progress.checked = progress.bytes
  return { type: 'checkpoint', offset: progress.bytes, carry: { sessions: progress.done.list() } }
}

interface SessionStamp {
  readonly id: string
  readonly rows: number
  readonly newest: number
  readonly reverted: boolean
  readonly stamp: string
}

interface Counted {
  readonly id: string
  readonly n: number
  readonly t: number | null
}

/** Oldest first. The stamp uses times and counts, never content. */
function sessionStamps(db: SourceDatabase): SessionStamp[] {
  const columns = db.columns('session')
  const counted = ['message', 'part', 'session_message'].map((table) => countRows(db, table))
  const asked = ['time_updated', 'title', 'revert', 'time_archived', 'parent_id'].filter((name) => columns.has(name))
  const order = columns.has('time_created') ? 'time_created, id' : 'id'
  const stamps: SessionStamp[] = []
  for (const row of db.rows<Record<string, unknown>>(`select ${['id', ...asked].join(', ')} from session order by ${order}`)) {
    const id = String(row.id)
    const counts = counted.map((table) => table.get(id))
    const rows = counts.reduce((sum, one) => sum + (one?.n ?? 0), 0)
    const newest = Math.max(0, ...counts.map((one) => one?.t ?? 0))
    const said = shortHash(12, JSON.stringify([...asked.map((name) => row[name]), ...counts.map((one) => one?.n ?? 0)]))
    const reverted = typeof row.revert === 'string' && row.revert !== ''
    stamps.push({ id, rows, newest, reverted, stamp: `${newest} ${rows} ${reverted ? 1 : 0} ${said}` })
  }
  return stamps
}

function readStamp(stamp: string): { newest: number; rows: number; reverted: boolean } {
  const [newest = '0', rows = '0', reverted = '0'] = stamp.split(' ')
  return { newest: Number(newest), rows: Number(rows), reverted: reverted === '1' }
}

function countRows(db: SourceDatabase, table: string): Map<string, Counted> {
  const columns = db.columns(table)
  if (!columns.has('session_id')) return new Map()
  const time = columns.has('time_updated') ? 'max(time_updated)' : 'null'
  const rows = db.rows<Counted>(`select session_id as id, count(*) as n, ${time} as t from ${table} group by session_id`)
  return new Map([...rows].map((row) => [row.id, row]))
}
