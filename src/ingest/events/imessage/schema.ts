import { MnemonicError } from '../../../core/error.ts'
import { given } from '../../../core/given.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'

export type Has = (table: string, column: string) => boolean

/** Includes iOS 5 and older, for a better error. */
export function isMessagesDatabase(db: SourceDatabase): boolean {
  const columns = db.columns('message')
  return isCurrent(db) || columns.has('madrid_guid') || (columns.has('address') && db.tables().has('msg_group'))
}

function isCurrent(db: SourceDatabase): boolean {
  const columns = db.columns('message')
  const tables = db.tables()
  return columns.has('guid') && columns.has('is_from_me') && ['chat', 'handle', 'chat_message_join'].every((table) => tables.has(table))
}

/** Throws NOT_THIS_FORMAT for schemas before iOS 6 and OS X 10.8. */
export function schemaOf(db: SourceDatabase, path: string): Has {
  if (!isCurrent(db)) {
    const old = isMessagesDatabase(db)
    throw new MnemonicError(
      'NOT_THIS_FORMAT',
      old
        ? `${path} was written by iOS 5 or older: its messages have no guid, so that they could not be stored once only`
        : `${path} holds no messages: the tables of Messages are missing`,
      {
        details: { path, reasons: [old ? 'the tables of iOS 5 (madrid)' : 'no table message with chat, handle and chat_message_join'] },
        ...given({ hint: old ? 'Restore the backup to a newer system, and read the sms.db of a backup of that.' : undefined }),
      },
    )
  }
  const known = new Map<string, ReadonlySet<string>>()
  return (table, column) => {
    const columns = known.get(table) ?? db.columns(table)
    known.set(table, columns)
    return columns.has(column)
  }
}

/** Milliseconds from 1970 to 2001, Apple's epoch. */
export const APPLE_EPOCH_MS = 978_307_200_000

/**
 * SQL for milliseconds since 2001. Columns hold seconds before macOS 10.13 and iOS 11, then nanoseconds, which exceed JavaScript's safe
 * integers. So SQLite divides.
 */
export function milliseconds(column: string): string {
  return `case when ${column} > 1000000000000 or ${column} < -1000000000000 then ${column} / 1000000 else ${column} * 1000 end`
}

const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2201, 0, 1)

/** Unix milliseconds. Undefined for 0 and absurd years. */
export function timeOf(sinceApple: number | null | undefined): number | undefined {
  if (typeof sinceApple !== 'number' || sinceApple === 0) return undefined
  const time = Math.trunc(sinceApple) + APPLE_EPOCH_MS
  return time >= EARLIEST && time < LATEST ? time : undefined
}
