/** The bytes of all files below a folder. Follows no link; a folder that does not exist holds nothing. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

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

/** Files come and go while they are counted. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
