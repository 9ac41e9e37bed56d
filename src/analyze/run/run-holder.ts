/** Identifies the process that holds a run, so that runs of a dead process are taken over at once. */
import { randomUUID } from 'node:crypto'
import { isDead, type ProcessMark, processMark } from '../../store/lease.ts'

/** Without renewal, a run is free after this time. */
export const HELD_MS = 60_000

export function runHolder(): string {
  const { pid, host, mark } = processMark()
  return JSON.stringify({ id: randomUUID(), pid, host, mark })
}

export function isRunDead({ holder, held_until }: { holder: string | null; held_until: number | null }, now: number): boolean {
  if (holder === null || held_until === null || held_until <= now) return true
  // The clock was set back: no holder may exceed its term.
  if (held_until > now + 2 * HELD_MS) return true
  return isDead(JSON.parse(holder) as ProcessMark)
}
