import type { Candidate, ChunkPlace } from './candidate.ts'

export interface Positions {
  /** The candidate just before in the session, or -1. */
  readonly before: Int32Array
  readonly after: Int32Array
  /** Number of the session or document; its best chunk supports the others. */
  readonly session: Int32Array
  readonly sessions: number
  /** Number of the result group; its further chunks lose score. */
  readonly group: Int32Array
  /** Number of the turn; its further chunks lose more. Chunks without a turn have their own. */
  readonly turn: Int32Array
}

export function positionsOf(candidates: readonly Candidate[]): Positions {
  const positions = new Map<string, number>()
  const key = ({ unit, chunkIndex }: ChunkPlace) => `${unit}\n${chunkIndex}`
  for (const [i, { group, unit = group, chunkIndex }] of candidates.entries()) positions.set(key({ unit, chunkIndex }), i)
  const beside = (step: 1 | -1) =>
    Int32Array.from(candidates, ({ group, unit = group, chunkIndex, beside: others }) => {
      const other = (step === 1 ? others?.after : others?.before) ?? { unit, chunkIndex: chunkIndex + step }
      return positions.get(key(other)) ?? -1
    })
  const units = numbered(candidates.map(({ group, unit = group }) => unit))
  const group = numbered(candidates.map((candidate) => candidate.group)).of
  const turn = numbered(candidates.map((candidate) => candidate.turn ?? `\n${candidate.chunkId}`)).of
  return { before: beside(-1), after: beside(1), session: units.of, sessions: units.count, group, turn }
}

function numbered(names: readonly string[]): { readonly of: Int32Array; readonly count: number } {
  const numbers = new Map<string, number>()
  const of = Int32Array.from(names, (name) => {
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    return number
  })
  return { of, count: numbers.size }
}

/** Mean of both neighbours; a missing one counts as 0. */
export function beside(own: Float64Array, { before, after }: Positions): Float64Array {
  return own.map((_value, i) => ((own[before[i] as number] ?? 0) + (own[after[i] as number] ?? 0)) / 2)
}

export function bestOfSession(own: Float64Array, { session, sessions }: Positions): Float64Array {
  const best = new Float64Array(sessions)
  for (const [i, value] of own.entries()) best[session[i] as number] = Math.max(best[session[i] as number] as number, value)
  return own.map((_value, i) => best[session[i] as number] as number)
}

/** Per candidate, how many better ones have its number. */
export function rankAmong(order: readonly number[], numbers: Int32Array): Float64Array {
  const seen = new Map<number, number>()
  const ranks = new Float64Array(numbers.length)
  for (const i of order) {
    const number = numbers[i] as number
    const before = seen.get(number) ?? 0
    ranks[i] = before
    seen.set(number, before + 1)
  }
  return ranks
}
