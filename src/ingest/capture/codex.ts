/** Codex's rollouts: one file a thread below `sessions` and `archived_sessions`, plain or packed. Reads, never writes. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, DiscoverOptions, SourceUnit, UnitReader } from '../adapter.ts'
import { walk } from '../walk.ts'
import { readRollout } from './codex/read-rollout.ts'
import { isRolloutLine } from './codex/rollout-line.ts'
import { isRolloutName, rolloutNames, timeInName } from './codex/rollout-names.ts'
import { isFields } from './fields.ts'
import { HEAD_BYTES } from './judged-lines.ts'
import { parseLine } from './parse-line.ts'
import { newestTime, timesIn } from './times-in.ts'
import { unpackedHead } from './unpack.ts'

export interface CodexOptions {
  /** Folders that hold rollouts, instead of the default ones. */
  readonly places?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly homedir?: string
}

export function codex(options: CodexOptions = {}): Adapter {
  const places = () => options.places ?? defaultPlaces(options.env ?? process.env, options.homedir ?? homedir())
  return {
    name: 'codex',
    reads: 1,
    places,
    discover: (asked) => discover(places(), asked),
    recognises,
    age,
    read: readRollout,
  }
}

/** The same on all systems. */
function defaultPlaces(env: NodeJS.ProcessEnv, home: string): string[] {
  const configured = env.CODEX_HOME?.trim()
  const root = configured ? configured : join(home, '.codex')
  return [join(root, 'sessions'), join(root, 'archived_sessions')]
}

async function* discover(places: readonly string[], { path, warn }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const roots = path === undefined ? places.filter((place) => existsSync(place)) : [path]
  for (const root of roots) yield* walk(root, { accept: isRolloutName, warn })
}

const ZSTD = Buffer.from('28b52ffd', 'hex')

function recognises(head: Buffer, path: string): boolean {
  const { packed, document } = rolloutNames(path)
  const text = (packed ? unpackedHead(head) : head).toString('utf8').replace(/^\ufeff/, '')
  // What is packed in one piece longer than the head gives nothing yet: its name must do.
  if (packed && text === '') return head.indexOf(ZSTD) === 0 && timeInName(path) !== undefined
  if (document) return /^\s*\{\s*"session"\s*:\s*\{/.test(text) && /"timestamp"\s*:/.test(text)
  const lines = text.split('\n')
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
  const copied = /"(?:forked_from_id|parent_thread_id)":\s*"/.test(head)
  return (timesIn(head)[0] ?? timeInName(unit.path) ?? unit.mtimeMs) + (copied ? 0.5 : 0)
}
