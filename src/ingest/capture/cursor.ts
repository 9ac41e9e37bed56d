/** Cursor: the editor's `state.vscdb`, agent transcripts, the CLI's `store.db`. Content decides which. */
import { basename, dirname } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import type { SourceDatabase } from '../../store/source-database.ts'
import type { Adapter, Checkpoint, DiscoverOptions, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { sourceFiles } from '../walk.ts'
import { OLD_KEYS } from './cursor/old-chats.ts'
import { readState } from './cursor/state-database.ts'
import { readStore } from './cursor/store-database.ts'
import { isTextTranscript } from './cursor/text-transcript.ts'
import { isTranscriptLine, readTranscript, transcriptNames } from './cursor/transcript.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { headLines } from './head.ts'
import { parseLine } from './parse-line.ts'

interface Found {
  readonly mirrors: Mirrors
  readonly slugs: Map<string, string>
}

export function cursor(options: SourceOptions = {}): Adapter {
  const description = describeSource('cursor', options)
  const found: Found = { mirrors: mirrors(), slugs: new Map() }
  return {
    ...description,
    discover: (asked) => discover({ roots: description.defaultPaths(), own: options.paths === undefined }, asked, found),
    recognises,
    recognisesDatabase,
    age,
    read: (unit, since, reader) => read(unit, { since, reader, found }),
  }
}

/** Default paths: only Cursor's own names. A given path: any candidate file. */
const OURS = /(?:^|[\\/])(?:state\.vscdb|store\.db|agent-transcripts[\\/].*\.(?:jsonl|txt))$/
const PERHAPS = /\.(?:vscdb|db|jsonl)$|agent-transcripts[\\/].*\.txt$/i

async function* discover(
  { roots, own }: { roots: readonly string[]; own: boolean },
  asked: DiscoverOptions,
  found: Found,
): AsyncGenerator<SourceUnit, void, undefined> {
  const pattern = own && asked.path === undefined ? OURS : PERHAPS
  const accept = (file: string) => pattern.test(file)
  for await (const unit of sourceFiles(roots, asked, accept)) {
    if (!TRANSCRIPT.test(unit.path)) {
      if (basename(unit.path) === 'store.db') found.mirrors.found(basename(dirname(unit.path)))
      yield databaseUnit(unit.path) ?? unit
      continue
    }
    const { session, slug } = transcriptNames(unit.path)
    found.mirrors.found(session)
    if (slug !== undefined) found.slugs.set(session, slug)
    yield unit
  }
}

const TRANSCRIPT = /\.(?:jsonl|txt)$/i
const STORE = [
  /CREATE TABLE (?:IF NOT EXISTS )?"?blobs"?\s*\(\s*id TEXT PRIMARY KEY, data BLOB/i,
  /CREATE TABLE (?:IF NOT EXISTS )?"?meta"?\s*\(/i,
]

function recognises(head: Buffer, path: string): boolean {
  if (!isSqlite(head)) {
    const lines = headLines(head)
    if (lines.length > 1) lines.pop()
    if (/[\\/]agent-transcripts[\\/]/.test(path) && isTextTranscript(lines.join('\n'))) return true
    return /\.jsonl$/i.test(path) && lines.slice(0, 20).some((line) => parseLine(line).values.some(isTranscriptLine))
  }
  const text = head.toString('latin1')
  if (/CREATE TABLE (?:IF NOT EXISTS )?"?cursorDiskKV/i.test(text)) return true
  if (STORE.every((table) => table.test(text))) return true
  const item = /CREATE TABLE (?:IF NOT EXISTS )?"?ItemTable/i.test(text)
  return item && (Object.values(OLD_KEYS).some((key) => text.includes(key)) || /[\\/]Cursor[\\/]User[\\/]/.test(path))
}

function recognisesDatabase(database: SourceDatabase, path: string): boolean {
  const tables = database.tables()
  if (tables.has('cursorDiskKV')) return true
  if (['id', 'data'].every((name) => database.columns('blobs').has(name)) && tables.has('meta')) return true
  if (!database.columns('ItemTable').has('key')) return false
  // Every VS Code fork has this table.
  const keys = Object.values(OLD_KEYS)
  const own = `select 1 from ItemTable where key in (${keys.map(() => '?').join(', ')}) limit 1`
  return /[\\/]Cursor[\\/]User[\\/]/.test(path) || database.first(own, ...keys) !== undefined
}

/** Global database first, then workspaces, stores, transcripts: the richest copy is stored. */
async function age(unit: SourceUnit): Promise<number> {
  if (TRANSCRIPT.test(unit.path)) return 3
  if (basename(unit.path).endsWith('store.db')) return 2
  return basename(dirname(unit.path)) === 'globalStorage' ? 0 : 1
}

interface ReadContext {
  readonly since: Checkpoint | undefined
  readonly reader: UnitReader
  readonly found: Found
}

async function* read(unit: SourceUnit, { since, reader, found }: ReadContext): AsyncGenerator<ReadItem, void, undefined> {
  const head = await reader.slice(unit.path, 0, 16)
  if (!isSqlite(head)) {
    if (head.length > 0 && /\.(?:vscdb|db)$/i.test(unit.path)) {
      throw new MnemonicError('NOT_THIS_FORMAT', `${unit.path} is no SQLite database`, { details: { path: unit.path } })
    }
    yield* readTranscript(unit, since, reader, found.mirrors.textsOf)
    return
  }
  const database = await reader.database(unit.path)
  try {
    const { addTexts } = found.mirrors
    const kind = kindOf(unit, database.tables())
    if (kind === 'store') yield* readStore(unit, { database, since, reader, addTexts })
    else yield* readState(unit, { database, since, reader, addTexts, slugs: found.slugs })
  } finally {
    database.close()
  }
}

function kindOf({ path }: SourceUnit, tables: ReadonlySet<string>): 'state' | 'store' {
  if (tables.has('cursorDiskKV') || tables.has('ItemTable')) return 'state'
  if (tables.has('blobs') && tables.has('meta')) return 'store'
  throw new MnemonicError('NOT_THIS_FORMAT', `not a database of Cursor: ${path}`, {
    details: { path, reasons: ['no table of Cursor in it'] },
  })
}

/** Names of texts that databases hold, for conversations with a second copy, so that a transcript is deduplicated against them. */
interface Mirrors {
  found(session: string): void
  addTexts(session: string, names: readonly string[]): void
  textsOf(session: string): ReadonlySet<string> | undefined
}

function mirrors(): Mirrors {
  const texts = new Map<string, Set<string> | undefined>()
  return {
    found(session) {
      if (!texts.has(session)) texts.set(session, undefined)
    },
    addTexts(session, names) {
      if (!texts.has(session)) return
      const known = texts.get(session) ?? new Set()
      for (const name of names) known.add(name)
      texts.set(session, known)
    },
    textsOf: (session) => texts.get(session),
  }
}
