/**
 * What hooks could not do, in a small file beside the database, because the database may be what is broken. It holds times, names and codes,
 * never a text; it keeps the last few and a count, so that it does not grow. `health` and the next start of a session tell of it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const HOOK_FAILURES_FILE = 'hook-failures.json'

/** `LATE`: there was no answer within the budget. Otherwise the code of an error. */
export interface HookFailure {
  readonly at: string
  readonly harness: string
  readonly event: string
  readonly code: string
}

export interface HookFailures {
  /** All since a session start last told of them. */
  readonly failed: number
  readonly last: readonly HookFailure[]
  /** When a hook worked again; null where none did since the last failure. */
  readonly recovered_at: string | null
}

const KEPT = 5
const PLAIN = /[^\w.-]/g

/** Never throws: there is nobody to tell. Without a home there is no memory, and nothing is noted. */
export function noteHookFailure(home: string, failure: HookFailure): void {
  try {
    if (!existsSync(home)) return
    const before = readHookFailures(home)
    const plain = (text: string) => text.replace(PLAIN, '_').slice(0, 40)
    const noted = { at: failure.at, harness: plain(failure.harness), event: plain(failure.event), code: plain(failure.code) }
    write(home, { failed: (before?.failed ?? 0) + 1, last: [...(before?.last ?? []), noted].slice(-KEPT), recovered_at: null })
  } catch {
    return // a full or read-only disk: `health` finds that by itself
  }
}

/** A hook worked: earlier failures are history, which the next start of a session still tells of. */
export function noteHookSuccess(home: string, now: string): void {
  try {
    const before = readHookFailures(home)
    if (before !== undefined && before.recovered_at === null) write(home, { ...before, recovered_at: now })
  } catch {
    return // as above
  }
}

/** They have been told. */
export function clearHookFailures(home: string): void {
  rmSync(join(home, HOOK_FAILURES_FILE), { force: true })
}

/** Undefined where there are none, or where the file is not what this program wrote. */
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

/** Whole or not at all. Two hooks that fail at once may lose one count, and nothing else. */
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
