/** The rolling window of MEMORY.md: 30 days in UTC, both ends included. Knows no clock: `now` is handed in. */
import { toIso } from '../../core/time.ts'
import type { LedgerRow } from './ledger-row.ts'

export const WINDOW_DAYS = 30
const WINDOW = WINDOW_DAYS * 24 * 60 * 60 * 1000

/** The first moment that is in the window. */
export function windowStart(now: number): number {
  return now - WINDOW
}

export function isInWindow(membershipTs: number, now: number): boolean {
  return membershipTs >= windowStart(now) && membershipTs <= now
}

/** The rows of the window, the newest first; rows of one moment in the order of their sessions. */
export function windowRows(rows: Iterable<LedgerRow>, now: number): LedgerRow[] {
  return [...rows]
    .filter((row) => isInWindow(row.membershipTs, now))
    .sort((a, b) => b.membershipTs - a.membershipTs || (a.sessionId < b.sessionId ? -1 : a.sessionId > b.sessionId ? 1 : 0))
}

/** The UTC day of a row: `2026-03-28`. */
export function dayOf(membershipTs: number): string {
  return toIso(membershipTs).slice(0, 10)
}
