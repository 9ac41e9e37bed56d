/**
 * Small files that one process leaves for the next, which runs or believes them as they stand. They are taken only where this user wrote them
 * and no other can have changed them: in a home that others may write to, or as root in the home of somebody else, they are as if they were
 * not there. On Windows, which has other rights, the home's own are relied on.
 */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { dropFile } from './drop-file.ts'

/** Undefined where there is none that can be trusted, or none that can be read. Never throws. */
export function readOwnFile(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    if (!isOwn(statSync(dirname(path)))) return undefined
    // What was opened is looked at, not what has the name by then; a link may lead to what somebody else had us write.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    const stat = fstatSync(file)
    return stat.isFile() && isOwn(stat) ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Whole or not at all, for this user only. False where it cannot be written: it is only to be quick. Never throws, and makes no home. */
export function writeOwnFile(path: string, content: string | Uint8Array): boolean {
  const folder = dirname(path)
  const temporary = `${path}.${process.pid}`
  try {
    statSync(dirname(folder))
    mkdirSync(folder, { mode: 0o700, recursive: true })
    if (!isOwn(statSync(folder))) return false
    writeFileSync(temporary, content, { mode: 0o600 })
    renameSync(temporary, path)
    return true
  } catch {
    dropFile(temporary) // a full or read-only disk, or a folder of another user
    return false
  }
}

/** This user's, and nobody else may write to it. */
export function isOwn({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o022) === 0)
}
