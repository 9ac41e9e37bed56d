/** Whether a file may be written at a place that its owner named: not over what must stay, not where it would be taken for something else, and with room. */
import { realpathSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Paths } from '../config/paths.ts'
import { MnemonicError } from '../core/error.ts'

export interface PlaceOptions {
  readonly paths: Paths
  /** Takes the place of a file that is there. */
  readonly force: boolean
  /** The option that says so, for the hint. */
  readonly forceHint?: string
}

/** The absolute path, links in its folder followed. Throws USAGE where nothing may be written. */
export function placeForFile(file: string, { paths, force, forceHint = '--force replaces it.' }: PlaceOptions): string {
  const asked = resolve(file)
  const folder = real(dirname(asked))
  if (folder === undefined) throw refused(asked, `there is no folder ${dirname(asked)}`, 'Make it first, or name another place.')
  const path = join(folder, basename(asked))
  if (isInside(path, real(paths.memory) ?? paths.memory)) {
    throw refused(path, 'the memory folder of the workspace holds published files only', 'Name another place.')
  }
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined) {
    if (isDatabase(path, paths)) throw refused(path, 'that is where the database itself lies', 'Name another place.')
    return path
  }
  if (!there.isFile()) throw refused(path, 'there is a folder of that name, or something else that is no file', 'Name a file.')
  if (isDatabase(path, paths)) throw refused(path, 'that is the database itself', 'Name another place.')
  if (!force) throw refused(path, 'there is a file already', `Name another place; ${forceHint}`)
  return path
}

/** Also where it is the database under another name. */
export function isDatabase(path: string, { database }: Paths): boolean {
  const own = real(database) ?? database
  if (['', '-wal', '-shm', '-journal'].some((end) => path === own + end)) return true
  const [a, b] = [statSync(path, { throwIfNoEntry: false }), statSync(own, { throwIfNoEntry: false })]
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path)
}

/** Throws STORAGE_ERROR when the disk of a folder has less than so many bytes left. */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  const megabytes = (n: number) => `${Math.ceil(n / 1024 / 1024).toLocaleString('en-US')} MB`
  throw new MnemonicError('STORAGE_ERROR', `there is not enough room in ${folder}: ${megabytes(bytes)} needed, ${megabytes(free)} free`, {
    details: { path: folder, needed: bytes, free },
    hint: 'Make room on that disk, or name another place. Nothing was written.',
  })
}

export function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined // it does not exist, or cannot be reached: for a place to write that is the same
  }
}

function refused(path: string, why: string, hint: string): MnemonicError {
  return new MnemonicError('USAGE', `cannot write ${path}: ${why}`, { details: { path }, hint })
}
