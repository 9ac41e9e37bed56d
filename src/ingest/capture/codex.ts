/** Codex rollouts: one file per thread below `sessions` and `archived_sessions`, plain or zstd. */
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
  // A compressed block longer than the head yields nothing: judge by name.
  if (packed && text === '') return head.indexOf(ZSTD) === 0 && timeInName(path) !== undefined
  if (document) return /^\s*\{\s*"session"\s*:\s*\{/.test(text) && /"timestamp"\s*:/.test(text)
  for (const line of lines) {
    const first = parseLine(line).values.find(isFields)
    if (first !== undefined) return isRolloutLine(first)
  }
  // The first line may exceed the head.
  return lines.length === 1 && /^\s*\{"timestamp":"[^"]+",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{/.test(text)
}

/** A derived thread starts with a copy of the original, perhaps with its times; adding 0.5 ms sorts it after. */
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
