import { lstat, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MnemonicError } from '../core/error.ts'

/** 0 if missing. Ignores symlinks. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await unlessGone(readdir(folder, { withFileTypes: true }))
  let bytes = 0
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await folderSize(path)
    else if (entry.isFile()) bytes += (await unlessGone(lstat(path)))?.size ?? 0
  }
  return bytes
}

/** Files may vanish meanwhile. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Available to this user. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Its nearest existing parent: same disk. */
export async function nearestFolder(path: string): Promise<string> {
  return (await unlessGone(stat(path))) === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path
}

export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= bytes) return
  const megabytes = (n: number) => `${Math.ceil(n / 1024 / 1024).toLocaleString('en-US')} MB`
  throw new MnemonicError('STORAGE_ERROR', `there is not enough room in ${folder}: ${megabytes(bytes)} needed, ${megabytes(free)} free`, {
    details: { path: folder, needed: bytes, free },
    hint: 'Make room on that disk, or name another path. Nothing was written.',
  })
}
