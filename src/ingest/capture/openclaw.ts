/** OpenClaw transcripts: live and archived files per agent, and since 2026.7.2 a database. */
import { realpathSync } from 'node:fs'
import type { Adapter, Checkpoint, DiscoverOptions, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { sourceFiles } from '../walk.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { type DialectOptions, openclawDialect } from './openclaw/dialect.ts'
import { readDatabase } from './openclaw/read-database.ts'
import { bareName, sessionStores } from './openclaw/session-store.ts'
import { isDatabase, isPacked, isTranscript } from './openclaw/transcript-name.ts'
import { beginsWithHeader, sessionAge, whoseFile } from './pi/header.ts'
import { readResumedFile, readSessionFile } from './pi/read-session-file.ts'
import { packedReader, unpackedHead } from './unpack.ts'

export interface OpenclawOptions extends SourceOptions {
  /** The owner's ids and names on channels, in addition to detected ones. */
  readonly owners?: readonly string[]
}

export function openclaw(options: OpenclawOptions = {}): Adapter {
  const description = describeSource('openclaw', options)
  const known: DialectOptions = { stores: sessionStores(), owners: (options.owners ?? []).map(bareName) }
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked),
    recognises,
    recognisesDatabase: (database, path) => isDatabase(path) || database.columns('transcript_events').has('event_json'),
    age,
    read: (unit, since, reader) => read(unit, since, { reader, known }),
  }
}

async function* discover(roots: readonly string[], asked: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const anywhere = asked.path !== undefined
  const accept = (file: string) => isDatabase(file) || (isTranscript(file) && (anywhere || /[\\/]sessions[\\/]/.test(file)))
  for await (const unit of sourceFiles(withoutLinks(roots), asked, accept)) {
    yield isDatabase(unit.path) ? (databaseUnit(unit.path) ?? unit) : unit
  }
}

/** Old state folder names often link to the new one. */
function withoutLinks(roots: readonly string[]): string[] {
  const byRealPath = new Map<string, string>()
  for (const root of roots) {
    const real = realOf(root)
    if (real !== undefined && !byRealPath.has(real)) byRealPath.set(real, root)
  }
  return [...byRealPath.values()]
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function recognises(head: Buffer, path: string): boolean {
  if (isSqlite(head)) {
    const schema = head.toString('latin1')
    return isDatabase(path) || (/CREATE TABLE "?transcript_events\b/.test(schema) && schema.includes('event_json'))
  }
  const begin = isPacked(path) ? unpackedHead(head) : head
  return beginsWithHeader(begin) && whoseFile(path, begin.toString('utf8')) === 'openclaw'
}

/** Live transcripts are read last, so that they win over archives. */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  if (isDatabase(unit.path)) return Number.MAX_SAFE_INTEGER
  if (!isPacked(unit.path)) return sessionAge(unit, reader, at)
  const whole = {
    ...reader,
    slice: async (path: string, offset: number, length: number) => unpackedHead(await reader.slice(path, offset, length)),
  }
  return at === 'end' ? unit.mtimeMs : sessionAge(unit, whole, at)
}

async function* read(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  { reader, known }: { reader: UnitReader; known: DialectOptions },
): AsyncGenerator<ReadItem, void, undefined> {
  if (isDatabase(unit.path)) {
    yield* readDatabase(unit, since, { reader, owners: known.owners })
    return
  }
  const dialect = await openclawDialect(unit, reader, known)
  if (isPacked(unit.path)) yield* readSessionFile({ unit, since: undefined, reader: packedReader(reader), dialect })
  else yield* readResumedFile(unit, since, { reader, dialect })
}
