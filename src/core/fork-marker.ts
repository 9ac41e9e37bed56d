/**
 * The field by which a record of a forked session is known again: it names the message of the ledger that the record is a copy of, whatever became
 * of its text on the way (redacted, shortened, written in another harness's form). Harnesses ignore a field that they do not know.
 */
import { given } from './given.ts'
import { shortHash } from './hash.ts'
import { isTrust, type Trust } from './trust.ts'

export const FORK_FIELD = 'mnemonic'

export interface ForkMarker {
  /** The message's id in the ledger; undefined for a note that says what the session is: it is no message. */
  readonly copyOf: string | undefined
  /** Whose text it is: never trusted more than this. */
  readonly trust: Trust | undefined
  /** A hash of each line that was copied: what else the record says later are its own words. Undefined where the marker does not tell. */
  readonly lines: readonly string[] | undefined
}

/** The marker of a note, which copies nothing. */
export const FORK_NOTE: ForkMarker = { copyOf: undefined, trust: undefined, lines: undefined }

/** The value of the field. `forkedAt` is the time of the newest copied message, ISO. */
export function forkMarker({ copyOf, trust, lines }: ForkMarker, forkedAt: string): Record<string, unknown> {
  return { v: 1, ...(copyOf === undefined ? { note: true } : { copy_of: copyOf, trust, ...given({ lines }) }), forked_at: forkedAt }
}

/** The lines of a text as a marker holds them. A line without letters and digits says nothing. */
export function copiedLines(text: string): string[] {
  return [...new Set(text.split('\n').map(hashOfLine))].filter((hash) => hash !== '')
}

/** The text without the lines that were copied; empty where it says nothing else. */
export function ownLines(text: string, copied: readonly string[]): string {
  const known = new Set(['', ...copied])
  const own = text.split('\n').filter((line) => !known.has(hashOfLine(line)))
  return own.join('\n').trim()
}

/** White space, marks and case may change on the way through a harness. */
function hashOfLine(line: string): string {
  const said = line
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return said === '' ? '' : shortHash(8, said)
}

/** Undefined where the value is no marker of ours. */
export function readForkMarker(value: unknown): ForkMarker | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { v, copy_of, note, trust, lines } = value as Record<string, unknown>
  if (v !== 1 || (typeof copy_of !== 'string' && note !== true)) return undefined
  return { copyOf: typeof copy_of === 'string' ? copy_of : undefined, trust: isTrust(trust) ? trust : undefined, lines: textsOnly(lines) }
}

function textsOnly(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
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
