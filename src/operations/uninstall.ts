/** Never removes a person's files or unknown names. */
import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { everyFile } from '../artifacts/dossiers/dossier-files.ts'
import { headOf } from '../artifacts/dossiers/render-dossier.ts'
import { type PublishedFiles, publishedFiles } from '../artifacts/format/published-files.ts'
import { removePublished } from '../artifacts/publish/remove-set.ts'
import type { Paths } from '../config/paths.ts'
import type { Clock } from '../core/clock.ts'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { listCopies } from '../store/copies.ts'
import type { DatabaseFiles } from '../store/database-file.ts'
import { requireNoLease } from '../store/lease.ts'
import { folderSize } from './disk-space.ts'
import type { Registration } from './registrations.ts'
import { homeFiles } from './uninstall-home.ts'

export interface UninstallItem {
  readonly path: string
  readonly what: string
  readonly bytes: number
}

/** snake_case: the JSON of `uninstall`. */
export interface UninstallReport {
  readonly home: string
  readonly workspace: string
  readonly dry_run: boolean
  readonly removed: readonly UninstallItem[]
  readonly kept: readonly UninstallItem[]
  readonly package: string
  /** Names unreadable harness configurations. */
  readonly warnings: readonly string[]
}

export interface UninstallOptions {
  /** Without it, nothing is removed. */
  readonly purge?: boolean
  /** Needs `purge`. */
  readonly artifacts?: boolean
  readonly dryRun?: boolean
  /** Called before any change. */
  readonly confirm?: (plan: UninstallReport) => Promise<boolean>
}

export interface UninstallContext {
  readonly files: DatabaseFiles
  readonly paths: Paths
  readonly clock: Clock
  readonly registrations?: readonly Registration[]
}

const REMOVE_PACKAGE = 'npm uninstall -g agent-mnemonic'

/** Undefined if declined. */
export async function uninstall(context: UninstallContext, options: UninstallOptions = {}): Promise<UninstallReport | undefined> {
  const { purge = false, artifacts = false, dryRun = false, confirm } = options
  if (artifacts && !purge) {
    throw new MnemonicError('USAGE', '--artifacts removes published files together with the home', { hint: 'Give --purge too.' })
  }
  const copies = await lookInside(context, { refuse: purge && !dryRun })
  const plan = await planOf(context, { purge, artifacts, copies })
  const report = reportOf(context, plan, dryRun || !purge)
  if (!purge || dryRun) return report
  if (confirm !== undefined && !(await confirm(reportOf(context, plan, true)))) return undefined
  await lookInside(context, { refuse: true })
  await removeAll(context, plan)
  return report
}

interface Plan {
  readonly removed: readonly UninstallItem[]
  readonly kept: readonly UninstallItem[]
  readonly published: PublishedFiles
  readonly registered: readonly { registration: Registration; path: string; what: string }[]
  readonly artifacts: boolean
  readonly warnings: readonly string[]
}

function reportOf({ paths }: UninstallContext, { removed, kept, warnings }: Plan, dryRun: boolean): UninstallReport {
  return { home: paths.home, workspace: paths.workspace, dry_run: dryRun, removed, kept, package: REMOVE_PACKAGE, warnings }
}

/** Throws JOB_RUNNING. An unreadable database does not block. */
async function lookInside({ files, paths, clock }: UninstallContext, { refuse }: { refuse: boolean }): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  if (!existsSync(paths.database)) return found
  try {
    const store = await files.open(paths.database)
    try {
      if (refuse) await requireNoLease(store, clock)
      for (const path of await listCopies(store, 'forks')) found.set(path, 'a fork: yours, and your harness may go on in it')
      for (const path of await listCopies(store, 'exports')) found.set(path, 'an export of yours (redacted)')
      for (const path of await listCopies(store, 'backups')) found.set(path, 'a backup of yours (raw)')
    } finally {
      await store.close()
    }
  } catch (error) {
    if (['JOB_RUNNING', 'DATABASE_BUSY'].includes(asMnemonicError(error).code)) throw error
  }
  return found
}

async function planOf(
  { paths, registrations = [] }: UninstallContext,
  { purge, artifacts, copies }: { purge: boolean; artifacts: boolean; copies: ReadonlyMap<string, string> },
): Promise<Plan> {
  const removed: UninstallItem[] = []
  const kept: UninstallItem[] = []
  const put = (item: UninstallItem, isRemoved: boolean) => void (isRemoved ? removed : kept).push(item)
  const home = await homeFiles(paths.home)
  const owned = new Set(home.map(({ path }) => path))
  for (const { path, what, bytes } of home) {
    // A backup in the home belongs to the owner.
    put({ path, what: what ?? copies.get(path) ?? 'not ours', bytes }, purge && what !== undefined)
  }
  const published = publishedFiles(paths.workspace)
  const inWorkspace = (what: string) => (path: string) => ({
    path: join(paths.workspace, path),
    what,
    bytes: sizeOf(join(paths.workspace, path)),
  })
  for (const item of published.artifacts.map(inWorkspace('published history'))) put(item, artifacts)
  for (const item of published.rendered.map(inWorkspace('the list of recent sessions'))) put(item, artifacts)
  for (const { path, edited } of dossiersIn(paths.workspace))
    put(inWorkspace(edited ? 'a dossier or other text of yours' : 'a dossier')(path), artifacts && !edited)
  if (published.tombstones !== undefined)
    put(inWorkspace('keeps what you forgot from coming back, should you install again')(published.tombstones), false)
  for (const [path, what] of [...copies].sort()) {
    if (owned.has(path) || !existsSync(path)) continue
    const bytes = lstatSync(path).isDirectory() ? await folderSize(path) : sizeOf(path)
    put({ path, what, bytes }, false)
  }
  const registered: { registration: Registration; path: string; what: string }[] = []
  for (const registration of registrations) {
    for (const { path, what } of await registration.find()) {
      registered.push({ registration, path, what })
      put({ path, what, bytes: 0 }, purge)
    }
  }
  const warnings = registrations.flatMap((registration) => registration.warnings?.() ?? [])
  return { removed, kept, published, registered, artifacts, warnings }
}

async function removeAll({ paths }: UninstallContext, { removed, published, registered, artifacts }: Plan): Promise<void> {
  for (const { registration, path, what } of registered) await registration.remove({ path, what })
  if (artifacts) {
    const dossiers = dossiersIn(paths.workspace).filter(({ edited }) => !edited)
    removePublished(paths.workspace, [...published.artifacts, ...published.rendered, ...dossiers.map(({ path }) => path)])
  }
  const home = removed.filter(({ path }) => path.startsWith(join(paths.home, '/')))
  // Removes the database last: it leads to the other files if a run is repeated.
  for (const { path } of [...home].sort((a, b) => Number(isDatabase(a.path, paths)) - Number(isDatabase(b.path, paths))))
    rmSync(path, { force: true })
  const folders = new Set(home.map(({ path }) => dirname(path)))
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) removeEmpty(folder, paths.home)
}

/** Edited ones and `--force` backups are a person's. */
function dossiersIn(workspace: string): { readonly path: string; readonly edited: boolean }[] {
  return everyFile(workspace).map(({ path, text }) => ({ path, edited: headOf(text)?.edited !== false }))
}

function isDatabase(path: string, paths: Paths): boolean {
  return path === paths.database
}

function removeEmpty(folder: string, home: string): void {
  for (let at = folder; at.startsWith(home); at = dirname(at)) {
    if (existsSync(at) && readdirSync(at).length > 0) return
    if (existsSync(at)) rmdirSync(at)
  }
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
}
