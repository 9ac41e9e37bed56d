/**
 * Failures of hooks, in a file, since the database may be the problem. Holds times, names and codes, never text: a count and the last few.
 * `health` and the next session start report it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const HOOK_FAILURES_FILE = 'hook-failures.json'

/** `LATE`: no answer within the budget; else an error code. */
export interface HookFailure {
  readonly at: string
  readonly harness: string
  readonly event: string
  readonly code: string
}

export interface HookFailures {
  /** Since the last report at a session start. */
  readonly failed: number
  readonly last: readonly HookFailure[]
  /** First success after the last failure, or null. */
  readonly recovered_at: string | null
}

const KEPT = 5
const PLAIN = /[^\w.-]/g

/** Never throws. Writes nothing without a home. */
export function noteHookFailure(home: string, failure: HookFailure): void {
  try {
    if (!existsSync(home)) return
    const before = readHookFailures(home)
    const plain = (text: string) => text.replace(PLAIN, '_').slice(0, 40)
    const noted = { at: failure.at, harness: plain(failure.harness), event: plain(failure.event), code: plain(failure.code) }
    write(home, { failed: (before?.failed ?? 0) + 1, last: [...(before?.last ?? []), noted].slice(-KEPT), recovered_at: null })
  } catch {
    return // full or read-only disk: `health` reports that
  }
}

/** The next session start still reports earlier failures. */
export function noteHookSuccess(home: string, now: string): void {
  try {
    const before = readHookFailures(home)
    if (before !== undefined && before.recovered_at === null) write(home, { ...before, recovered_at: now })
  } catch {
    return
  }
}

export function clearHookFailures(home: string): void {
  rmSync(join(home, HOOK_FAILURES_FILE), { force: true })
}

export function readHookFailures(home: string): HookFailures | undefined {
  try {
    const read = JSON.parse(readFileSync(join(home, HOOK_FAILURES_FILE), 'utf8')) as Partial<HookFailures>
    if (typeof read.failed !== 'number' || !Array.isArray(read.last)) return undefined
    const last = read.last.filter((one): one is HookFailure => isFailure(one)).slice(-KEPT)
    return { failed: read.failed, last, recovered_at: typeof read.recovered_at === 'string' ? read.recovered_at : null }
  } catch {
    return undefined
  }
}

function isFailure(value: unknown): boolean {
  const { at, harness, event, code } = (value ?? {}) as Partial<Record<keyof HookFailure, unknown>>
  return [at, harness, event, code].every((field) => typeof field === 'string' && field.length <= 60)
}

/** Atomic. Two hooks that fail at once may lose one count. */
function write(home: string, failures: HookFailures): void {
  const path = join(home, HOOK_FAILURES_FILE)
  const temporary = `${path}.${process.pid}`
  try {
    writeFileSync(temporary, JSON.stringify(failures), { mode: 0o600 })
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
