/** Messages of macOS (`chat.db`) and iOS backups (`sms.db`). Read-only, safe while Messages writes; needs the owner's consent. */
import { basename } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { countryOf, normalHandle } from '../../ledgers/people/handle.ts'
import type { SourceDatabase } from '../../store/source-database.ts'
import type { Adapter, Checkpoint, DiscoverOptions, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { describeSource, isMessagesFile, type SourceOptions } from '../capture/descriptions.ts'
import { headOf } from '../capture/head-of.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { walk } from '../walk.ts'
import type { Handle } from './imessage/chats.ts'
import { ADAPTER } from './imessage/message-event.ts'
import { readMessages } from './imessage/read-messages.ts'
import { isMessagesDatabase, schemaOf } from './imessage/schema.ts'
import { withLeave } from './imessage/unreadable.ts'

export interface ImessageOptions extends SourceOptions {
  readonly phones?: readonly string[]
  readonly emails?: readonly string[]
}

export function imessage(options: ImessageOptions = {}): Adapter {
  const description = describeSource(ADAPTER, options)
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked),
    recognises,
    recognisesDatabase: (database) => isMessagesDatabase(database),
    read: (unit, since, reader) => read(unit, since, { reader, options }),
  }
}

async function* discover(paths: readonly string[], { path, warn, reader }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const accept = async (file: string) => isMessagesFile(file) || (hasDatabaseName(file) && recognises(await headOf(file, reader), file))
  for (const root of path === undefined ? paths : [path]) {
    // If macOS denies access, even stat fails. Still emit a unit, so that reading it explains what to do.
    const refused = refusal(root)
    if (refused !== undefined) {
      if (refused !== 'ENOENT' && refused !== 'ENOTDIR') yield { path: root, size: 0, mtimeMs: 0 }
      else if (path !== undefined) yield* walk(root, { accept, warn })
      continue
    }
    for await (const { path: found } of walk(root, { accept, warn })) {
      const unit = databaseUnit(found)
      if (unit !== undefined) yield unit
    }
  }
}

function refusal(path: string): string | undefined {
  try {
    return databaseUnit(path) === undefined ? 'ENOENT' : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EPERM'
  }
}

function hasDatabaseName(file: string): boolean {
  return /\.(?:db|sqlite3?|sqlitedb)$/i.test(basename(file))
}

/** By schema; an unreadable file by name. */
function recognises(head: Buffer, path: string): boolean {
  if (head.length === 0) return /[/\\]Library[/\\]Messages[/\\]chat\.db$/.test(path)
  if (!isSqlite(head)) return false
  const schema = head.toString('latin1')
  return /CREATE TABLE (?:IF NOT EXISTS )?[`"]?chat_message_join/i.test(schema) || /madrid_guid/.test(schema)
}

/** The hashed name of `sms.db` in a backup. An encrypted backup is no database. */
const BACKUP_NAME = /^3d0d7e5fb2ce288813306e4d4636395e047a3d28$/

async function* read(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  { reader, options }: { reader: UnitReader; options: ImessageOptions },
): AsyncGenerator<ReadItem, void, undefined> {
  const db = await opened(unit.path, reader, options.platform)
  try {
    const { phones = [], emails = [] } = options
    yield* readMessages(db, schemaOf(db, unit.path), since?.carry, { own: ownHandle([...phones, ...emails]), country: countryOf(phones) })
  } finally {
    db.close()
  }
}

async function opened(path: string, reader: UnitReader, platform: NodeJS.Platform | undefined): Promise<SourceDatabase> {
  try {
    return await reader.database(path)
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'NOT_THIS_FORMAT' && BACKUP_NAME.test(basename(path)))
      throw new MnemonicError('NOT_THIS_FORMAT', `${path} is encrypted: only the messages of a backup without a password can be read`, {
        details: error.details,
        hint: 'Make a backup without “Encrypt local backup”, or decrypt this one with another tool first.',
        cause: error,
      })
    throw withLeave(error, path, platform)
  }
}

function ownHandle([first]: readonly string[]): Handle | undefined {
  return first === undefined ? undefined : { raw: first, normal: normalHandle(first, countryOf([first])) }
}
