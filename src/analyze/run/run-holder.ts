/** Who runs an analysis: a process that can be recognised, so that what one left behind when it died is taken over at once. */
import { randomUUID } from 'node:crypto'
import { isDead, type ProcessMark, processMark } from '../../store/lease.ts'

/** A run that was not renewed for so long is free, whatever its holder is. */
export const HELD_MS = 60_000

/** This process, for one call of the runner. */
export function runHolder(): string {
  const { pid, host, mark } = processMark()
  return JSON.stringify({ id: randomUUID(), pid, host, mark })
}

export function isRunDead({ holder, held_until }: { holder: string | null; held_until: number | null }, now: number): boolean {
  if (holder === null || held_until === null || held_until <= now) return true
  // A clock that was set back: nobody waits longer than a run is held.
  if (held_until > now + 2 * HELD_MS) return true
  return isDead(JSON.parse(holder) as ProcessMark)
}
