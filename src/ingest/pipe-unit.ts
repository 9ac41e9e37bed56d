/** A pipe as a unit: it has no size and no time, is read once from its beginning, and nothing of it is remembered but that it was read. */
import { realpath, stat } from 'node:fs/promises'
import { MnemonicError } from '../core/error.ts'
import type { SourceUnit } from './adapter.ts'

/** Undefined where the path is something else, or nothing. */
export async function pipeUnit(path: string): Promise<SourceUnit | undefined> {
  const info = await stat(path).catch(() => undefined)
  if (info === undefined || info.isFile() || info.isDirectory()) return undefined
  if (!info.isFIFO() && !info.isSocket())
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: it is neither a file nor a pipe`, {
      details: { path },
      hint: 'Pipe the mail into the command, or name a file.',
    })
  // Never called like a path: a later run must not wait for a pipe that nobody writes into.
  return { path, name: `pipe:${path}`, size: 0, mtimeMs: Date.now(), once: true }
}

/** What `/dev/stdin` is when a file was redirected into the command. */
export async function redirectedFile(path: string): Promise<string | undefined> {
  if (!path.startsWith('/dev/')) return undefined
  return realpath(path).catch(() => undefined)
}
