/** Where the older storage keeps what: `storage/{session,message,part}`, one JSON file for each session, message and part. Lists and stats only. */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import type { SourceUnit } from '../../adapter.ts'

export interface StorageTree {
  /** The folder that holds `session`, `message` and `part`. */
  readonly storage: string
  /** The unit is the first message of a session whose own file is missing. */
  readonly orphan: boolean
  /** The session's name, as far as the path tells it. */
  readonly stem: string
}

/** What a path says. Undefined where it is neither a session's file nor a message's. */
export function treeOf(path: string): StorageTree | undefined {
  const folder = dirname(path)
  const above = dirname(folder)
  if (basename(above) === 'session') return { storage: dirname(above), orphan: false, stem: basename(path, '.json') }
  if (basename(above) === 'message') return { storage: dirname(above), orphan: true, stem: basename(folder) }
  return undefined
}

/**
 * A session of the tree as a unit. One stat of the session's file tells of new prompts and of finished steps; that of its folder of messages
 * tells of new messages; those of the newest message and of its folder of parts tell of an answer that ended or gained a part. A part that is
 * rewritten while its answer is still running is seen when the answer ends. Undefined where the file is gone.
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

/** Names of the JSON files in a folder, in their order, which is that of time; none where there is no such folder. */
export function jsonNames(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
}

/** Throws SOURCE_UNREADABLE where the folder is there and may not be listed. */
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
