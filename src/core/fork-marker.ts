/**
 * A field that marks records of a forked session. It names the copied message, whatever happens to its text on the way. Harnesses ignore
 * unknown fields.
 */
import { given } from './given.ts'
import { shortHash } from './hash.ts'
import { isTrust, type Trust } from './trust.ts'

export const FORK_FIELD = 'mnemonic'

export interface ForkMarker {
  /** Message id in the ledger; undefined for a note, which is no message. */
  readonly copyOf: string | undefined
  /** Upper limit of the record's trust. */
  readonly trust: Trust | undefined
  /** Hashes of the copied lines: other lines are the record's own. Undefined if the marker lacks them. */
  readonly lines: readonly string[] | undefined
}

export const FORK_NOTE: ForkMarker = { copyOf: undefined, trust: undefined, lines: undefined }

/** `forkedAt`: ISO time of the newest copied message. */
export function forkMarker({ copyOf, trust, lines }: ForkMarker, forkedAt: string): Record<string, unknown> {
  return { v: 1, ...(copyOf === undefined ? { note: true } : { copy_of: copyOf, trust, ...given({ lines }) }), forked_at: forkedAt }
}

/** Skips lines without letters and digits. */
export function copiedLines(text: string): string[] {
  return [...new Set(text.split('\n').map(hashOfLine))].filter((hash) => hash !== '')
}

export function ownLines(text: string, copied: readonly string[]): string {
  const known = new Set(['', ...copied])
  const own = text.split('\n').filter((line) => !known.has(hashOfLine(line)))
  return own.join('\n').trim()
}

/** Harnesses may change white space, punctuation and case. */
function hashOfLine(line: string): string {
  const said = line
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return said === '' ? '' : shortHash(8, said)
}

export function readForkMarker(value: unknown): ForkMarker | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { v, copy_of, note, trust, lines } = value as Record<string, unknown>
  if (v !== 1 || (typeof copy_of !== 'string' && note !== true)) return undefined
  return { copyOf: typeof copy_of === 'string' ? copy_of : undefined, trust: isTrust(trust) ? trust : undefined, lines: textsOnly(lines) }
}

function textsOnly(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

export function isForkNote(value: unknown): boolean {
  const marker = readForkMarker(value)
  return marker !== undefined && marker.copyOf === undefined
}

const FORKED_AT = /"mnemonic":\{"v":1,[^{}]{0,2000}"forked_at":"([^"]{1,40})"\}/

/** Time of the fork, from the beginning of its file. It sorts after every session that it copies. */
export function forkedAt(head: string): number | undefined {
  const [, time] = FORKED_AT.exec(head) ?? []
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(at) ? undefined : at + 0.75
}
