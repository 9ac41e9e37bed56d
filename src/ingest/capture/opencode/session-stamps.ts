/** What shows that a session changed, without reading its messages. Looks at times and counts, never at content. */
import { shortHash } from '../../../core/hash.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'

export interface SessionStamp {
  readonly id: string
  /** Rows of messages and parts. */
  readonly rows: number
  /** The latest change of any of them. */
  readonly newest: number
  readonly reverted: boolean
  /** The same stamp, the same session. */
  readonly stamp: string
}

interface Counted {
  readonly id: string
  readonly n: number
  readonly t: number | null
}

/** All sessions of the database, oldest first. */
export function sessionStamps(db: SourceDatabase): SessionStamp[] {
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

/** What a stamp of an earlier read says. */
export function readStamp(stamp: string): { newest: number; rows: number; reverted: boolean } {
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
