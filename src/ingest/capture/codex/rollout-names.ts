/** What a rollout's path says: how it is packed, and which thread it holds. Pure: nothing is opened. */
import { basename } from 'node:path'
import { parseTimestamp } from '../../../core/time.ts'

export interface RolloutNames {
  readonly path: string
  /** The thread in the file's name, else the name itself. Needed only where the file does not say. */
  readonly thread: string
  readonly packed: boolean
  /** A single JSON document, as the first versions wrote. */
  readonly document: boolean
}

const THREAD = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:_[^_]*)?$/i
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function rolloutNames(path: string): RolloutNames {
  const name = basename(path)
  const stem = name.replace(/\.jsonl?(\.zst)?$/i, '')
  return { path, thread: THREAD.exec(stem)?.[1] ?? stem, packed: /\.zst$/i.test(name), document: /\.json$/i.test(name) }
}

/** When the thread began, as the file's name says: in the zone of the machine that wrote it. */
export function timeInName(path: string): number | undefined {
  const match = /^rollout-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-/.exec(basename(path))
  return match === null ? undefined : parseTimestamp(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`)
}

/** A name of a file that may hold a rollout. */
export function isRolloutName(path: string): boolean {
  return /\.jsonl(\.zst)?$/i.test(path) || /^rollout-.*\.json$/i.test(basename(path))
}

/** Cold files are packed and unpacked behind our back: the other name that this one may have by now. */
export function otherName(path: string): string | undefined {
  if (/\.jsonl\.zst$/i.test(path)) return path.slice(0, -4)
  return /\.jsonl$/i.test(path) ? `${path}.zst` : undefined
}
