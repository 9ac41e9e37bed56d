/** A pipe has no size or mtime, is read once, and has no checkpoints. */
import { realpath, stat } from 'node:fs/promises'
import { MnemonicError } from '../core/error.ts'
import type { SourceUnit } from './adapter.ts'

export async function pipeUnit(path: string): Promise<SourceUnit | undefined> {
  const info = await stat(path).catch(() => undefined)
  if (info === undefined || info.isFile() || info.isDirectory()) return undefined
  if (!info.isFIFO() && !info.isSocket())
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot read ${path}: it is neither a file nor a pipe`, {
      details: { path },
      hint: 'Pipe the mail into the command, or name a file.',
    })
  // Not named as a path: a later run must not wait for a pipe without a writer.
  return { path, name: `pipe:${path}`, size: 0, mtimeMs: Date.now(), once: true }
}

/** Resolves `/dev/stdin` if a file is redirected. */
export async function redirectedFile(path: string): Promise<string | undefined> {
  if (!path.startsWith('/dev/')) return undefined
  return realpath(path).catch(() => undefined)
}
