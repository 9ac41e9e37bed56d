/** Takes what was deleted out of the files and proves it by reading all of them. Writes the database anew only where something is left in it. */
import { lstatSync, realpathSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { asMnemonicError } from '../core/error.ts'
import type { Erased, Store } from '../store/store.ts'
import { byteSearch } from './byte-search.ts'
import type { ForgetContext } from './context.ts'
import { patternsOf } from './encodings.ts'
import { FOLDERS, TABLES } from './registry.ts'
import { type Holding, ownNeedles, type ScanReport, scan } from './scan.ts'

export interface Proof {
  readonly scan: ScanReport
  readonly erased: Erased
  readonly warnings: readonly string[]
}

const MOST_LINES = 300

/**
 * `exact`: the needles are the text itself. Else they are lines of what went, and those that are said elsewhere too prove nothing. `nothing`:
 * the memory held none of it.
 */
export async function eraseAndProve(
  { store, home, workspace, onStep }: ForgetContext,
  {
    needles,
    exact,
    nothing,
    copies,
    signal,
  }: { needles: Iterable<string>; exact: boolean; nothing: boolean; copies: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Proof> {
  await onStep?.('erase')
  const warnings: string[] = []
  const own = exact ? [...needles] : await ownNeedles(needles, textsOf(store), MOST_LINES)
  let erased = await store.erase()
  await onStep?.('scan')
  const look = () => scan({ roots: [home, workspace, ...linkedPlaces({ home, workspace }), ...copies], needles: own, signal })
  let report = await look()
  const location = realpathSync(store.location)
  const database = report.holding.some(({ path }) => path.startsWith(store.location) || path.startsWith(location))
  const logs = report.holding.filter(({ path }) => path.startsWith(join(home, 'logs') + sep))
  const isFile = ({ path }: Holding) => path === store.location || path === location
  if (own.length === 0 && !exact && !nothing) {
    // What it said is said elsewhere too, or is too short to be looked for: the bytes go all the same.
    erased = await rewritten(store, erased, warnings)
  } else if (database || logs.length > 0) {
    for (const { path } of logs) rmSync(path, { force: true })
    if (database) erased = await rewritten(store, erased, warnings)
    report = await look()
    if (database && erased.rewritten && report.holding.some(isFile) && (await isOurWord(store, own))) {
      report = { ...report, holding: report.holding.filter((one) => !isFile(one)) }
      warnings.push(
        'it is a word of the database’s own description too: the file was written anew, and every value in it read instead of its bytes',
      )
    }
  }
  if (!erased.logEmptied) warnings.push('another process reads the database: what it holds on to is overwritten when it ends')
  return { scan: report, erased, warnings }
}

/** The names and remarks of our own tables stand in every database: where they hold the text, and no value does, that is no trace of anybody. */
async function isOurWord(store: Store, needles: readonly string[]): Promise<boolean> {
  const search = byteSearch(needles.map(patternsOf))
  const holds = async (table: string, columns: readonly string[]) => {
    for await (const row of store.walk(table, columns)) {
      for (const value of Object.values(row)) {
        if (typeof value !== 'string' && !Buffer.isBuffer(value)) continue
        search.reset()
        search.feed(Buffer.from(value as string))
        if (search.found.size > 0) return true
      }
    }
    return false
  }
  if (!(await holds('sqlite_master', ['name', 'sql']))) return false
  for (const { name, columns } of store.tables()) {
    // The full-text index was made anew from the chunks; a view shows what other tables hold.
    if (!name.startsWith('chunks_fts') && !VIEWS.has(name) && (await holds(name, columns))) return false
  }
  return true
}

const VIEWS: ReadonlySet<string> = new Set([
  ...['agent_threads', 'chunks', 'chunks_vocab', 'embeddings', 'extraction_cache', 'files', 'session_chunks', 'session_embeddings'],
])

/** The words of the full-text index too: a page of it may begin with one that is gone. */
export async function rewritten(store: Store, before: Erased, warnings: string[]): Promise<Erased> {
  try {
    await store.rebuildText()
    return await store.erase({ rewrite: true })
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    if (error.code !== 'STORAGE_ERROR' && error.code !== 'DATABASE_BUSY') throw thrown
    warnings.push(error.message)
    return before
  }
}

/** All that the database still says. */
async function* textsOf(store: Store): AsyncGenerator<string> {
  for (const [table, holder] of Object.entries(TABLES)) {
    if (holder.kind === 'none') continue
    for await (const row of store.walk(table, holder.columns)) {
      for (const value of Object.values(row)) if (typeof value === 'string') yield value
    }
  }
}

/** Where places of ours lie that somebody moved to another disk and left a link for. Links of others are not followed. */
export function linkedPlaces(roots: { readonly home: string; readonly workspace: string }): string[] {
  return FOLDERS.flatMap(({ root, path }) => {
    const place = join(roots[root], path)
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return []
    try {
      const there = realpathSync(place)
      return path === DATABASE ? [there, `${there}-wal`, `${there}-shm`, `${there}-journal`] : [there]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [] // it leads nowhere
      return [place]
    }
  })
}

const DATABASE = 'mnemonic.db'

export interface Places {
  readonly home: string
  readonly workspace: string
  /** Copies that we made, wherever they lie. */
  readonly backups: readonly string[]
  readonly exports: readonly string[]
}

const COMPANIONS = ['-wal', '-shm', '-journal', '.partial'] as const

export function ownerOf({ path }: Holding, { home, workspace, backups, exports }: Places): 'mnemonic' | 'other' | 'backup' | 'export' {
  if (backups.some((copy) => path === copy || COMPANIONS.some((end) => path === copy + end))) return 'backup'
  if (exports.some((copy) => path === copy || path.startsWith(copy + sep))) return 'export'
  const own = [
    home,
    join(workspace, 'memory'),
    join(workspace, 'agents'),
    join(workspace, 'MEMORY.md'),
    join(workspace, 'MEMORY.mnemonic.md'),
    ...linkedPlaces({ home, workspace }),
  ]
  const ours = path !== join(home, 'config.yaml') && own.some((place) => path === place || path.startsWith(place + sep))
  return ours ? 'mnemonic' : 'other'
}
