/**
 * The field by which a record of a forked session is known again: it names the message of the ledger that the record is a copy of, whatever became
 * of its text on the way (redacted, shortened, written in another harness's form). Harnesses ignore a field that they do not know.
 */
import { isTrust, type Trust } from './trust.ts'

export const FORK_FIELD = 'mnemonic'

export interface ForkMarker {
  /** The message's id in the ledger; undefined for a note that says what the session is: it is no message. */
  readonly copyOf: string | undefined
  /** Whose text it is: never trusted more than this. */
  readonly trust: Trust | undefined
}

/** The value of the field. `forkedAt` is the time of the newest copied message, ISO. */
export function forkMarker({ copyOf, trust }: ForkMarker, forkedAt: string): Record<string, unknown> {
  return { v: 1, ...(copyOf === undefined ? { note: true } : { copy_of: copyOf, trust }), forked_at: forkedAt }
}

/** Undefined where the value is no marker of ours. */
export function readForkMarker(value: unknown): ForkMarker | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { v, copy_of, note, trust } = value as Record<string, unknown>
  if (v !== 1 || (typeof copy_of !== 'string' && note !== true)) return undefined
  return { copyOf: typeof copy_of === 'string' ? copy_of : undefined, trust: isTrust(trust) ? trust : undefined }
}

/** A record that only says what the forked session is. */
export function isForkNote(value: unknown): boolean {
  const marker = readForkMarker(value)
  return marker !== undefined && marker.copyOf === undefined
}

const FORKED_AT = /"mnemonic":\{"v":1,[^{}]{0,2000}"forked_at":"([^"]{1,40})"\}/

/**
 * When a forked session was made, by the beginning of its file; undefined for every other file. It comes after all that it copies from: each of
 * those sessions began before its newest copied message.
 */
export function forkedAt(head: string): number | undefined {
  const [, time] = FORKED_AT.exec(head) ?? []
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(at) ? undefined : at + 0.75
}
