import type { SourceDatabase } from '../../../store/source-database.ts'
import { isFields } from '../../capture/fields.ts'

export interface Cursor {
  upTo: number
  /** Guid of that row; a different one means another database. */
  guid: string | null
  /** Tapbacks are applied up to this row. */
  readonly tapbacks: number
  /** Latest edit seen, in milliseconds since 2001. */
  readonly edited: number
  /** Skipped deleted rows, which may be recovered for weeks. */
  readonly deleted: number[]
}

/** Messages keeps deleted rows for 30 days. */
export const MOST_DELETED = 1000

const BEGINNING: Cursor = { upTo: 0, guid: null, tapbacks: 0, edited: 0, deleted: [] }

/** Starts over if the database was restored or rebuilt. */
export function cursorFor(carry: unknown, db: SourceDatabase): Cursor {
  if (!isFields(carry) || typeof carry.upTo !== 'number' || typeof carry.tapbacks !== 'number') return BEGINNING
  const { upTo, guid, tapbacks, edited, deleted } = carry
  const row = db.first<{ guid: string | null }>('select guid from message where ROWID = ?', upTo)
  if (row !== undefined && row.guid !== guid) return BEGINNING
  // The last row may be deleted; row ids are never reused.
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
