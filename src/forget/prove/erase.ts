/** Rewrites the database, then reads all files to prove that nothing remains. */
import { lstatSync, realpathSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { asMnemonicError } from '../../core/error.ts'
import type { Store } from '../../store/store.ts'
import { type Erased, requireFile, type StoreFile } from '../../store/store-file.ts'
import type { ForgetContext } from '../context.ts'
import type { Receipt } from '../receipt.ts'
import { FOLDERS, TABLES } from '../registry.ts'
import { byteSearch } from './byte-search.ts'
import { patternsOf } from './encodings.ts'
import { type GitHistory, repositoriesAround, searchHistories } from './git-histories.ts'
import { type Holding, ownNeedles, type ScanReport, scan } from './scan.ts'

export interface Proof {
  readonly scan: ScanReport
  readonly erased: Erased
  readonly warnings: readonly string[]
  readonly git: readonly GitHistory[]
}

export interface Sought {
  /** All forms found; empty for other selectors. */
  readonly needles: Iterable<string>
  /** A piece that remaining records contain proves nothing. */
  readonly pieces: Iterable<string>
  /** The text is known. Foreign files may share pieces with a record, so only the text counts there. */
  readonly exact: boolean
  /** Own files, relative to the workspace. */
  readonly removed: readonly string[]
  readonly backups: readonly string[]
  readonly exports: readonly string[]
  readonly signal?: AbortSignal | undefined
}

const MOST_PIECES = 300
export const LOG_HELD = 'another process reads the database, so its log still holds old versions: the next command removes them'

export async function eraseAndProve({ store, home, workspace, onStep }: ForgetContext, sought: Sought): Promise<Proof> {
  const { exact, backups, exports, signal } = sought
  await onStep?.('erase')
  const warnings: string[] = []
  const file = requireFile(store, 'forgetting')
  const erased = await rewriteDatabase(store, file, warnings)
  const own = await ownNeedles(sought.pieces, textsOf(store), MOST_PIECES)
  const [needles, pieces] = exact ? [[...sought.needles], own] : [own, []]
  await onStep?.('scan')
  const roots = [home, workspace, ...linkedFolders({ home, workspace }), ...backups, ...exports]
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
      'it is also a word of the database’s own description: the file was rewritten, and every value in it was read instead of its bytes',
    )
  }
  if (!erased.logEmptied) warnings.push(LOG_HELD)
  const repositories = new Set([...report.repositories, ...repositoriesAround([home, workspace])])
  const isOwn = (path: string) => ownerOf({ path }, { home, workspace, backups, exports }) !== 'other'
  const removed = sought.removed.map((path) => join(workspace, path))
  const git = await searchHistories([...repositories], { needles, pieces, removed, isOwn, signal })
  const objects = (path: string) => git.holding.some((one) => path.startsWith(join(one.path, '.git', 'objects') + sep))
  const scanned = {
    ...report,
    holding: report.holding.filter(({ path }) => !objects(path)),
    undecoded: [...report.undecoded, ...git.unread],
  }
  return { scan: scanned, erased, warnings, git: git.holding }
}

/** Every database contains our table names, so a match only there is not the owner's. */
async function isOurWord(file: StoreFile, needles: readonly string[]): Promise<boolean> {
  const search = byteSearch(needles.map(patternsOf))
  const holds = (value: unknown) => {
    if (typeof value !== 'string' && !Buffer.isBuffer(value)) return false
    search.reset()
    search.feed(Buffer.from(value as string))
    return search.found.size > 0
  }
  if (!(await file.schemaTexts()).some(holds)) return false
  for await (const value of file.values()) if (holds(value)) return false
  return true
}

/** Full-text pages may start with a removed word. */
async function rewriteDatabase(store: Store, file: StoreFile, warnings: string[]): Promise<Erased> {
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

export async function* textsOf(store: Store): AsyncGenerator<string> {
  for (const [table, holder] of Object.entries(TABLES)) {
    if (holder.kind === 'none') continue
    for await (const row of store.walk(table, holder.columns)) {
      for (const value of Object.values(row)) if (typeof value === 'string') yield value
    }
  }
}

/** Own files replaced by symlinks; other links are not followed. */
function linkedFolders(roots: { readonly home: string; readonly workspace: string }): string[] {
  return FOLDERS.flatMap(({ root, path }) => {
    const link = join(roots[root], path)
    if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return []
    try {
      const target = realpathSync(link)
      return path === DATABASE ? [target, `${target}-wal`, `${target}-shm`, `${target}-journal`] : [target]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      return [link]
    }
  })
}

const DATABASE = 'mnemonic.db'

interface Roots {
  readonly home: string
  readonly workspace: string
  readonly backups: readonly string[]
  readonly exports: readonly string[]
}

const COMPANIONS = ['-wal', '-shm', '-journal', '.partial'] as const

function ownerOf(
  { path }: { readonly path: string },
  { home, workspace, backups, exports }: Roots,
): 'mnemonic' | 'other' | 'backup' | 'export' {
  if (backups.some((copy) => path === copy || COMPANIONS.some((end) => path === copy + end))) return 'backup'
  if (exports.some((copy) => path === copy || path.startsWith(copy + sep))) return 'export'
  const own = [
    home,
    join(workspace, 'memory'),
    join(workspace, 'agents'),
    join(workspace, 'MEMORY.md'),
    join(workspace, 'MEMORY.mnemonic.md'),
    ...linkedFolders({ home, workspace }),
  ]
  const ours = path !== join(home, 'config.yaml') && own.some((one) => path === one || path.startsWith(one + sep))
  return ours ? 'mnemonic' : 'other'
}

/** For a resumed forget, whose text is unknown. */
export const NOT_SCANNED: ScanReport = { files: 0, bytes: 0, needles: 0, holding: [], unreadable: [], undecoded: [], repositories: [] }

export function isErased({ rewritten, logEmptied }: Erased): boolean {
  return rewritten && logEmptied
}

export function stillHeld({ scan, erased, git }: Proof, at: Roots & { readonly store: Store }): Receipt['still_held'] {
  const files = scan.holding.map((one) => ({ path: one.path, owner: ownerOf(one, at) }))
  const held: Receipt['still_held'] = [...files, ...git.map(({ path }) => ({ path, owner: 'git' as const }))]
  // Old versions may remain even if no piece was found.
  const { location } = at.store
  return isErased(erased) || held.some(({ path }) => path === location) ? held : [...held, { path: location, owner: 'mnemonic' }]
}
