import type { Question } from './retrieval-data.ts'
import type { Unit } from './retrieval-home.ts'

export interface Recall {
  /** Share of evidence turns in the first ten units. */
  readonly at10: number
  /** In the units within 2,000 tokens, up to the first that does not fit. */
  readonly budget: number
  /** For fitting only: changes with every step, where the others jump. */
  readonly gain: number
}

const UNITS = 10
const TOKENS = 2000

export function recallOf(order: readonly Unit[], { turns }: Pick<Question, 'turns'>): Recall {
  const wanted = new Set(turns)
  const found = new Set<string>()
  let [at10, budget, tokens, gain, ideal] = [0, 0, 0, 0, 0]
  let fits = true
  for (const [rank, unit] of order.entries()) {
    tokens += unit.tokens
    fits &&= tokens <= TOKENS
    const before = found.size
    for (const turn of unit.turns) if (wanted.has(turn)) found.add(turn)
    if (found.size > before) gain += 1 / Math.log2(2 + rank)
    if (rank < UNITS) at10 = found.size
    if (fits) budget = found.size
    if (rank >= UNITS && !fits && found.size === wanted.size) break
  }
  for (let rank = 0; rank < wanted.size; rank++) ideal += 1 / Math.log2(2 + rank)
  return { at10: at10 / wanted.size, budget: budget / wanted.size, gain: Math.min(1, gain / ideal) }
}

export interface SessionRecall {
  /** Any evidence session in the first five. */
  readonly any: number
  /** All of them. */
  readonly all: number
  /** Share of evidence turns in the first ten units. */
  readonly turns: number
}

export function sessionRecallOf(order: readonly Unit[], { turns, sessions }: Question): SessionRecall {
  const first = new Set([...new Set(order.map(({ session }) => session.replace(/~\d+$/, '')))].slice(0, 5))
  const found = new Set(order.slice(0, UNITS).flatMap((unit) => unit.turns))
  const hit = sessions.filter((session) => first.has(session)).length
  return {
    any: hit > 0 ? 1 : 0,
    all: hit === sessions.length ? 1 : 0,
    turns: turns.length === 0 ? Number.NaN : turns.filter((turn) => found.has(turn)).length / turns.length,
  }
}

export function percent(values: readonly number[]): string {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.length === 0 ? '–' : ((100 * known.reduce((sum, value) => sum + value, 0)) / known.length).toFixed(1)
}
