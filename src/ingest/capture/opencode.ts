/** OpenCode: `opencode.db`, and the older JSON tree `storage/{session,message,part}`. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseTimestamp } from '../../core/time.ts'
import type { Adapter, DiscoverOptions, SourceUnit, UnitReader } from '../adapter.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { walk } from '../walk.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { isFields } from './fields.ts'
import { headOf } from './head-of.ts'
import { isOpenCodeDatabase, readDatabase } from './opencode/read-database.ts'
import { isMessageFile, isSessionFile, readTree } from './opencode/read-tree.ts'
import { jsonNames, namesIn, treeOf, treeUnit } from './opencode/storage-tree.ts'
import { parseLine } from './parse-line.ts'

export function opencode(options: SourceOptions = {}): Adapter {
  const description = describeSource('opencode', options)
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked),
    recognises,
    recognisesDatabase: isOpenCodeDatabase,
    age,
    read: (unit, since, reader) => (unit.path.toLowerCase().endsWith('.json') ? readTree : readDatabase)(unit, since, reader),
  }
}

/** `opencode-<channel>.db` belongs to preview releases. */
const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/i

async function* discover(roots: readonly string[], { path, warn, reader }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const seen = new Set<string>()
  for (const file of path === undefined ? filesOf(roots, warn) : [path]) {
    const trees = new Set<string>()
    const accept = async (name: string) => (await isDatabase(name, path !== undefined, reader)) || isTreeFile(name, trees)
    for await (const { path: found } of walk(file, { accept, warn })) {
      const unit = found.toLowerCase().endsWith('.json') ? unitOf(found, warn) : databaseUnit(found)
      if (unit === undefined || seen.has(found)) continue
      seen.add(found)
      yield unit
    }
    if (path === undefined && basename(file) === SESSIONS) trees.add(dirname(file))
    for (const storage of trees) yield* orphans(storage, warn, reader)
  }
}

function unitOf(file: string, warn: DiscoverOptions['warn']): SourceUnit | undefined {
  try {
    return treeUnit(file)
  } catch (error) {
    warn(String(error instanceof Error ? error.message : error))
    return undefined
  }
}

const SESSIONS = 'session'

/** Lists only databases and session folders: snapshots, logs and parts are large. */
function* filesOf(roots: readonly string[], warn: DiscoverOptions['warn']): Generator<string, void, undefined> {
  for (const root of roots) {
    const info = statSync(root, { throwIfNoEntry: false })
    if (info?.isFile()) yield root
    if (!info?.isDirectory()) continue
    let names: string[] = []
    try {
      names = readdirSync(root).sort()
    } catch (cause) {
      warn(`cannot list ${root}: ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}`)
    }
    for (const name of names) if (DATABASE.test(name)) yield join(root, name)
    const storage = basename(root) === 'storage' ? root : join(root, 'storage')
    if (existsSync(join(storage, SESSIONS))) yield join(storage, SESSIONS)
    else if (existsSync(join(storage, 'message'))) yield storage
  }
}

async function isDatabase(file: string, anyName: boolean, reader: UnitReader | undefined): Promise<boolean> {
  const name = basename(file)
  if (DATABASE.test(name)) return true
  // Below a given path names are arbitrary; the first bytes decide.
  return anyName && /\.(?:db|sqlite3?)$/i.test(name) && recognises(await headOf(file, reader), file)
}

function isTreeFile(file: string, trees: Set<string>): boolean {
  if (!file.toLowerCase().endsWith('.json')) return false
  const tree = treeOf(file)
  if (tree === undefined || basename(tree.storage) === 'session') return false
  // Another program's folder may have this name.
  if (!trees.has(tree.storage) && !existsSync(join(tree.storage, 'message'))) return false
  trees.add(tree.storage)
  return !tree.orphan
}

/** Sessions without their own file, represented by their first message. */
async function* orphans(
  storage: string,
  warn: DiscoverOptions['warn'],
  reader: UnitReader | undefined,
): AsyncGenerator<SourceUnit, void, undefined> {
  for (const first of firstMessages(storage, warn)) {
    const unit = recognises(await headOf(first, reader), first) ? unitOf(first, warn) : undefined
    if (unit !== undefined) yield unit
  }
}

function firstMessages(storage: string, warn: DiscoverOptions['warn']): string[] {
  const messages = join(storage, 'message')
  const sessions = join(storage, SESSIONS)
  try {
    const named = new Set(namesIn(sessions).flatMap((project) => jsonNames(join(sessions, project))))
    const orphaned = namesIn(messages).filter((session) => !named.has(`${session}.json`))
    return orphaned.flatMap((session) =>
      jsonNames(join(messages, session))
        .slice(0, 1)
        .map((name) => join(messages, session, name)),
    )
  } catch (error) {
    warn(String(error instanceof Error ? error.message : error))
    return []
  }
}

function recognises(head: Buffer, path: string): boolean {
  if (isSqlite(head)) {
    if (DATABASE.test(basename(path))) return true
    const schema = head.toString('latin1')
    const table = (name: string) => new RegExp(`CREATE TABLE [\`"]?${name}[\`"]? ?\\(`, 'i').test(schema)
    return table('session') && table('message') && table('part') && /project_id/.test(schema) && /message_id/.test(schema)
  }
  if (!path.toLowerCase().endsWith('.json')) return false
  const tree = treeOf(path)
  const [value] = tree === undefined ? [] : parseLine(head.toString('utf8')).values
  return isFields(value) && (tree?.orphan ? isMessageFile(value) : isSessionFile(value))
}

/** The tree is a database's older origin, so databases come last and win. */
async function age(unit: SourceUnit, reader: UnitReader): Promise<number> {
  if (!unit.path.toLowerCase().endsWith('.json')) return Number.MAX_SAFE_INTEGER
  const head = (await reader.slice(unit.path, 0, 64 << 10)).toString('utf8')
  return parseTimestamp(Number(/"created":\s*(\d{10,13})/.exec(head)?.[1])) ?? unit.mtimeMs
}
