/** One file per session, message and part. Only lists and stats. */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import type { SourceUnit } from '../../adapter.ts'

export interface StorageTree {
  readonly storage: string
  /** The session file is missing; the unit is its first message. */
  readonly orphan: boolean
  readonly stem: string
}

export function treeOf(path: string): StorageTree | undefined {
  const folder = dirname(path)
  const above = dirname(folder)
  if (basename(above) === 'session') return { storage: dirname(above), orphan: false, stem: basename(path, '.json') }
  if (basename(above) === 'message') return { storage: dirname(above), orphan: true, stem: basename(folder) }
  return undefined
}

/**
 * Fingerprint of a session: its file, message folder, newest message and that message's part folder. Misses a part rewritten while its
 * answer runs; the answer's end reveals it. Undefined if the file is gone.
 */
export function treeUnit(path: string): SourceUnit | undefined {
  const own = statOf(path)
  const tree = treeOf(path)
  if (own === undefined) return undefined
  if (tree === undefined) return { path, size: own.size, mtimeMs: own.mtimeMs }
  const messages = join(tree.storage, 'message', tree.stem)
  const names = jsonNames(messages)
  const newest = names.at(-1)
  const seen: (Stats | undefined)[] = [own, statOf(messages)]
  if (newest !== undefined) {
    seen.push(statOf(join(messages, newest)), statOf(join(tree.storage, 'part', basename(newest, '.json'))))
  }
  const files = seen.filter((one) => one?.isFile())
  return {
    path,
    size: files.reduce((sum, one) => sum + (one?.size ?? 0), names.length),
    mtimeMs: Math.max(...seen.map((one) => one?.mtimeMs ?? 0)),
  }
}

/** Sorted by name, which is by time. Empty if the folder is missing. */
export function jsonNames(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
}

/** Throws SOURCE_UNREADABLE if the folder exists but cannot be listed. */
export function namesIn(folder: string): string[] {
  if (!statOf(folder)?.isDirectory()) return []
  try {
    return readdirSync(folder)
  } catch (cause) {
    throw new MnemonicError('SOURCE_UNREADABLE', `cannot list ${folder}`, {
      details: { path: folder },
      hint: 'Give this user the right to read it, then sync again.',
      cause,
    })
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}
