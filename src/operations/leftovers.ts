import { lstatSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Paths, TOMBSTONE_FILE } from '../config/paths.ts'
import { namesIn, removeLeftovers, removeLeftoversBelow } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'
import { isRunning } from '../core/is-running.ts'
import { listCopies } from '../store/copies.ts'
import type { Store } from '../store/store.ts'

/** The workspace itself may be a person's folder. */
const OURS = [dirname(TOMBSTONE_FILE), 'dossiers', 'agents']

/** Skips inaccessible folders: the next write reports them. */
export async function sweepLeftovers(store: Store, paths: Paths, now: number): Promise<number> {
  const exported = (await listCopies(store, 'exports')).map((path) => (isFolder(path) ? path : dirname(path)))
  const below = [
    paths.home,
    ...[...OURS, 'skills'].map((name) => join(paths.workspace, name)),
    ...exported.map((path) => join(path, 'memory')),
  ]
  const single = [paths.workspace, ...exported]
  return (
    sum(below.filter(isFolder), (folder) => removeLeftoversBelow(folder, now)) +
    sum(single.filter(isFolder), (folder) => removeLeftovers(folder, now)) +
    removeDatabaseLeftovers(paths)
  )
}

/** Each leftover contains the whole database. */
export function removeDatabaseLeftovers({ home, database }: Pick<Paths, 'home' | 'database'>): number {
  const start = basename(database)
  const left = namesIn(home).filter((name) => {
    const pid = name.startsWith(start) ? /^\.(?:repairing|restoring)-(\d+)(?:$|-)/.exec(name.slice(start.length))?.[1] : undefined
    return pid !== undefined && !isRunning(Number(pid))
  })
  for (const name of left) rmSync(join(home, name), { force: true })
  return left.length
}

function sum(folders: readonly string[], remove: (folder: string) => number): number {
  return folders.reduce((count, folder) => count + tolerant(() => remove(folder)), 0)
}

function tolerant(remove: () => number): number {
  try {
    return remove()
  } catch (error) {
    const code = error instanceof MnemonicError ? error.details.code : (error as NodeJS.ErrnoException).code
    if (typeof code === 'string') return 0
    throw error
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
