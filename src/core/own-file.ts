/**
 * Small files that a later process executes or trusts. Read only if this user wrote them and nobody else could change them, else ignored.
 * On Windows the rights of the home must do.
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

/** Undefined if missing, untrusted or unreadable. Never throws. */
export function readOwnFile(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    if (!isOwn(statSync(dirname(path)))) return undefined
    // Checks the open file, not its name, and follows no link: prevents a race and a planted link.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    const stat = fstatSync(file)
    return stat.isFile() && isOwn(stat) ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Atomic, private to the user. Returns false on failure; never throws or creates a home. */
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
    dropFile(temporary) // full or read-only disk, or another user's folder
    return false
  }
}

export function isOwn({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o022) === 0)
}
