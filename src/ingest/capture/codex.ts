/** Codex's rollouts: one file a thread below `sessions` and `archived_sessions`, plain or packed. Reads, never writes. */
import { forkedAt } from '../../core/fork-marker.ts'
import type { Adapter, SourceUnit, UnitReader } from '../adapter.ts'
import { sourceFiles } from '../walk.ts'
import { readRollout } from './codex/read-rollout.ts'
import { isRolloutLine } from './codex/rollout-line.ts'
import { isRolloutName, rolloutNames, timeInName } from './codex/rollout-names.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { isFields } from './fields.ts'
import { HEAD_BYTES, headLines, newestTime, timesIn } from './head.ts'
import { parseLine } from './parse-line.ts'
import { unpackedHead } from './unpack.ts'

export function codex(options: SourceOptions = {}): Adapter {
  const description = describeSource('codex', options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, isRolloutName),
    recognises,
    age,
    read: readRollout,
  }
}

const ZSTD = Buffer.from('28b52ffd', 'hex')

function recognises(head: Buffer, path: string): boolean {
  const { packed, document } = rolloutNames(path)
  const lines = headLines(packed ? unpackedHead(head) : head)
  const text = lines.join('\n')
  // What is packed in one piece longer than the head gives nothing yet: its name must do.
  if (packed && text === '') return head.indexOf(ZSTD) === 0 && timeInName(path) !== undefined
  if (document) return /^\s*\{\s*"session"\s*:\s*\{/.test(text) && /"timestamp"\s*:/.test(text)
  for (const line of lines) {
    const first = parseLine(line).values.find(isFields)
    if (first !== undefined) return isRolloutLine(first)
  }
  // The first line may be longer than the head.
  return lines.length === 1 && /^\s*\{"timestamp":"[^"]+",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{/.test(text)
}

/**
 * The first time the rollout names. One that was made from another thread begins with a copy of it, perhaps with its times: half a
 * millisecond puts it behind.
 */
async function age(unit: SourceUnit, reader: UnitReader, at: 'begin' | 'end'): Promise<number> {
  const { packed } = rolloutNames(unit.path)
  if (at === 'end') return packed ? unit.mtimeMs : newestTime(unit, reader)
  const bytes = await reader.slice(unit.path, 0, HEAD_BYTES)
  const head = (packed ? unpackedHead(bytes) : bytes).toString('utf8')
  const forked = forkedAt(head)
  if (forked !== undefined) return forked
  const copied = /"(?:forked_from_id|parent_thread_id)":\s*"/.test(head)
  return (timesIn(head)[0] ?? timeInName(unit.path) ?? unit.mtimeMs) + (copied ? 0.5 : 0)
}
