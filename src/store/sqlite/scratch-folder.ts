import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../../core/is-running.ts'

/** A new folder for a raw copy. Removes those that killed processes left behind: the folder's name carries the process id. */
export function scratchFolder(prefix: string, scratch: string): string {
  for (const name of readdirSync(scratch)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    const path = join(scratch, name)
    if (pid > 0 && !isRunning(pid) && isOwn(path)) rmSync(path, { recursive: true, force: true })
  }
  return mkdtempSync(join(scratch, `${prefix}${process.pid}-`))
}

/** A temporary folder may be shared: another user's copy cannot be removed. Windows has no such ids, and a folder for each user. */
function isOwn(path: string): boolean {
  return process.getuid === undefined || statSync(path, { throwIfNoEntry: false })?.uid === process.getuid()
}
