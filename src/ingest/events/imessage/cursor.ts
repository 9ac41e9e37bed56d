/** How far a database was read, and what must be looked at again. */
import type { SourceDatabase } from '../../../store/source-database.ts'
import { isFields } from '../../capture/fields.ts'

export interface Cursor {
  /** The last row that was read. */
  upTo: number
  /** Its guid: where the row has another one, this is another database. */
  guid: string | null
  /** Every message that was read knows the tapbacks up to this row. */
  readonly tapbacks: number
  /** The latest edit that was seen, in milliseconds since 2001. */
  readonly edited: number
  /** Rows that were left out because they were deleted, and may be recovered for some weeks. */
  readonly deleted: number[]
}

/** Messages keeps what was deleted for 30 days: more than this nobody takes back. */
export const MOST_DELETED = 1000

const BEGINNING: Cursor = { upTo: 0, guid: null, tapbacks: 0, edited: 0, deleted: [] }

/** From the beginning where the database is not the one that was read: restored from another, or built anew. */
export function cursorFor(carry: unknown, db: SourceDatabase): Cursor {
  if (!isFields(carry) || typeof carry.upTo !== 'number' || typeof carry.tapbacks !== 'number') return BEGINNING
  const { upTo, guid, tapbacks, edited, deleted } = carry
  const row = db.first<{ guid: string | null }>('select guid from message where ROWID = ?', upTo)
  if (row !== undefined && row.guid !== guid) return BEGINNING
  // The last messages may have been deleted; numbers that were given out are not given out again.
  if (row === undefined && given(db) < upTo) return BEGINNING
  // Keys in the order of BEGINNING: the stored text must not depend on whether a read was interrupted.
  return {
    ...{ upTo, guid: typeof guid === 'string' ? guid : null, tapbacks, edited: typeof edited === 'number' ? edited : 0 },
    deleted: Array.isArray(deleted) ? deleted.filter((row) => typeof row === 'number') : [],
  }
}

function given(db: SourceDatabase): number {
  const sequence = db.tables().has('sqlite_sequence')
    ? db.first<{ seq: number }>("select seq from sqlite_sequence where name = 'message'")?.seq
    : undefined
  return sequence ?? db.first<{ top: number | null }>('select max(ROWID) as top from message')?.top ?? 0
}
