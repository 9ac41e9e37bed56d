/** What the chunks around a chunk lend it: those beside it, and the best one of its session. Pure. */
import type { Candidate } from './candidate.ts'

/** The neighbours and the session of each candidate, as positions in the list. */
export interface Positions {
  /** The candidate just before in the same session, or -1. */
  readonly before: Int32Array
  readonly after: Int32Array
  /** The session's number, from 0. */
  readonly session: Int32Array
  readonly sessions: number
}

export function positionsOf(candidates: readonly Candidate[]): Positions {
  const numbers = new Map<string, number>()
  const positions = new Map<string, number>()
  const key = (group: string, index: number) => `${group}\n${index}`
  const session = Int32Array.from(candidates, ({ group }) => {
    const number = numbers.get(group) ?? numbers.size
    numbers.set(group, number)
    return number
  })
  for (const [i, { group, chunkIndex }] of candidates.entries()) positions.set(key(group, chunkIndex), i)
  const beside = (step: number) =>
    Int32Array.from(candidates, ({ group, chunkIndex }) => positions.get(key(group, chunkIndex + step)) ?? -1)
  return { before: beside(-1), after: beside(1), session, sessions: numbers.size }
}

/** The mean of what the chunk before and the chunk after have; a chunk that was not found has nothing. */
export function beside(own: Float64Array, { before, after }: Positions): Float64Array {
  return own.map((_value, i) => ((own[before[i] as number] ?? 0) + (own[after[i] as number] ?? 0)) / 2)
}

/** What the best chunk of the same session has. */
export function bestOfSession(own: Float64Array, { session, sessions }: Positions): Float64Array {
  const best = new Float64Array(sessions)
  for (const [i, value] of own.entries()) best[session[i] as number] = Math.max(best[session[i] as number] as number, value)
  return own.map((_value, i) => best[session[i] as number] as number)
}

/** How many better candidates of the same session come before each, in the order given. */
export function rankInSession(order: readonly number[], { session, sessions }: Positions): Float64Array {
  const seen = new Int32Array(sessions)
  const ranks = new Float64Array(session.length)
  for (const i of order) {
    const number = session[i] as number
    ranks[i] = seen[number] as number
    seen[number] = (seen[number] as number) + 1
  }
  return ranks
}
