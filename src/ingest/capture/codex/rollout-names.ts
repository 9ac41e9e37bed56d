/** Pure: opens nothing. */
import { basename } from 'node:path'
import { parseTimestamp } from '../../../core/time.ts'

export interface RolloutNames {
  readonly path: string
  /** Fallback if the file does not state its thread. */
  readonly thread: string
  readonly packed: boolean
  readonly document: boolean
}

const THREAD = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:_[^_]*)?$/i
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function rolloutNames(path: string): RolloutNames {
  const name = basename(path)
  const stem = name.replace(/\.jsonl?(\.zst)?$/i, '')
  return { path, thread: THREAD.exec(stem)?.[1] ?? stem, packed: /\.zst$/i.test(name), document: /\.json$/i.test(name) }
}

/** In the writer's local time zone. */
export function timeInName(path: string): number | undefined {
  const match = /^rollout-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-/.exec(basename(path))
  return match === null ? undefined : parseTimestamp(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`)
}

export function isRolloutName(path: string): boolean {
  return /\.jsonl(\.zst)?$/i.test(path) || /^rollout-.*\.json$/i.test(basename(path))
}

/** Codex packs and unpacks cold files at any time. */
export function otherName(path: string): string | undefined {
  if (/\.jsonl\.zst$/i.test(path)) return path.slice(0, -4)
  return /\.jsonl$/i.test(path) ? `${path}.zst` : undefined
}
