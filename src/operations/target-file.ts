import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Paths } from '../config/paths.ts'
import { MnemonicError } from '../core/error.ts'

export interface TargetOptions {
  readonly paths: Paths
  readonly force: boolean
  readonly forceHint?: string
}

/** Resolves symlinks. Throws USAGE. */
export function targetFile(file: string, { paths, force, forceHint = '--force replaces it.' }: TargetOptions): string {
  const asked = resolve(file)
  const folder = real(dirname(asked))
  if (folder === undefined) throw refused(asked, `there is no folder ${dirname(asked)}`, 'Make it first, or name another path.')
  const path = join(folder, basename(asked))
  if (isInside(path, real(paths.memory) ?? paths.memory)) {
    throw refused(path, 'the memory folder of the workspace holds published files only', 'Name another path.')
  }
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined) {
    if (isDatabase(path, paths)) throw refused(path, 'that is the database itself', 'Name another path.')
    return path
  }
  if (!there.isFile()) throw refused(path, 'there is a folder of that name, or something else that is no file', 'Name a file.')
  if (isDatabase(path, paths)) throw refused(path, 'that is the database itself', 'Name another path.')
  if (!force) throw refused(path, 'there is a file already', `Name another path; ${forceHint}`)
  return path
}

/** Detects the database under any name. */
export function isDatabase(path: string, { database }: Paths): boolean {
  const own = real(database) ?? database
  if (['', '-wal', '-shm', '-journal'].some((end) => path === own + end)) return true
  const [a, b] = [statSync(path, { throwIfNoEntry: false }), statSync(own, { throwIfNoEntry: false })]
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

export function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path)
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && resolve(folder, below) === path)
}

export function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function refused(path: string, why: string, hint: string): MnemonicError {
  return new MnemonicError('USAGE', `cannot write ${path}: ${why}`, { details: { path }, hint })
}
