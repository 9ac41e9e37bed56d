/** Writes the database anew, without anything that was ever deleted from it, and proves by reading all files that nothing of it is left. */
import { lstatSync, realpathSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { asMnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import { type Erased, requireFile, type StoreFile } from '../store/store-file.ts'
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

/** What is looked for, and where copies of ours lie. */
export interface Sought {
  /** The text itself, in all forms in which it was met; of the other selectors none. */
  readonly needles: Iterable<string>
  /** Pieces of what went. Those that are said elsewhere too prove nothing. */
  readonly pieces: Iterable<string>
  /** The text itself is known. A file of others may well say the same as a record that held it: there, only the text counts. */
  readonly exact: boolean
  readonly backups: readonly string[]
  readonly exports: readonly string[]
  readonly signal?: AbortSignal | undefined
}

const MOST_PIECES = 300
export const LOG_HELD = 'another process reads the database: what it holds on to is taken out of the file by the next command'

export async function eraseAndProve({ store, home, workspace, onStep }: ForgetContext, sought: Sought): Promise<Proof> {
  const { exact, backups, exports, signal } = sought
  await onStep?.('erase')
  const warnings: string[] = []
  const file = requireFile(store, 'forgetting')
  const erased = await rewritten(store, file, warnings)
  const own = await ownNeedles(sought.pieces, textsOf(store), MOST_PIECES)
  const [needles, pieces] = exact ? [[...sought.needles], own] : [own, []]
  await onStep?.('scan')
  const roots = [home, workspace, ...linkedPlaces({ home, workspace }), ...backups, ...exports]
  const look = async () => {
    const report = await scan({ roots, needles, pieces, signal })
    const ours = (one: Holding) => !one.piecesOnly || ownerOf(one, { home, workspace, backups, exports }) !== 'other'
    return { ...report, holding: report.holding.filter(ours) }
  }
  let report = await look()
  const logs = report.holding.filter(({ path }) => path.startsWith(join(home, 'logs') + sep))
  if (logs.length > 0) {
    for (const { path } of logs) rmSync(path, { force: true })
    report = await look()
  }
  const isFile = ({ path }: Holding) => file.is(path)
  if (erased.rewritten && report.holding.some((one) => isFile(one) && !one.piecesOnly) && (await isOurWord(file, needles))) {
    report = { ...report, holding: report.holding.filter((one) => !isFile(one)) }
    warnings.push(
      'it is a word of the database’s own description too: the file was written anew, and every value in it read instead of its bytes',
    )
  }
  if (!erased.logEmptied) warnings.push(LOG_HELD)
  return { scan: report, erased, warnings }
}

/** The names and remarks of our own tables stand in every database: where they hold the text, and no value does, that is no trace of anybody. */
async function isOurWord(file: StoreFile, needles: readonly string[]): Promise<boolean> {
  const search = byteSearch(needles.map(patternsOf))
  const holds = (value: unknown) => {
    if (typeof value !== 'string' && !Buffer.isBuffer(value)) return false
    search.reset()
    search.feed(Buffer.from(value as string))
    return search.found.size > 0
  }
  if (!file.schemaTexts().some(holds)) return false
  for await (const value of file.values()) if (holds(value)) return false
  return true
}

/** The words of the full-text index too: a page of it may begin with one that is gone. */
async function rewritten(store: Store, file: StoreFile, warnings: string[]): Promise<Erased> {
  try {
    await store.rebuildText()
    return await file.erase({ rewrite: true })
  } catch (thrown) {
    const error = asMnemonicError(thrown)
    if (error.code !== 'STORAGE_ERROR' && error.code !== 'DATABASE_BUSY') throw thrown
    warnings.push(error.message)
    return file.erase()
  }
}

/** All that the database still says. */
export async function* textsOf(store: Store): AsyncGenerator<string> {
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
