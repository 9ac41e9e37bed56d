/** Fits ranking weights by coordinate descent on a grid. Deterministic. */

type Rank = typeof import('../src/search/rank.ts')
export type Features = ReturnType<Rank['featuresOf']>
export type Weights = import('../src/search/rank.ts').Weights
export type ScoresOf = Rank['scoresOf']

export interface Case<M> {
  readonly features: readonly Features[]
  /** Of one order per phrasing. */
  measure(orders: readonly (readonly number[])[]): M
}

/** Round numbers, fitted on nothing. */
const START = { bm25: 0.2, coverage: 0.2, vector: 0.5, said: 0.1, exact: 0.05, neighbours: 0.3, session: 0.3 } as const
const REST = { tokens: 0, speaks: 0.2, time: 0.2, length: 0.1, newest: 0.1, recency: 0.002, diversity: 0.1, turn: 0 } as const
/** `vector` sets the scale. For `exact`, `speaks`, `newest` and `recency` there are too few questions. */
const FITTED = ['session', 'bm25', 'coverage', 'said', 'neighbours', 'time', 'diversity', 'length'] as const
/** For ablation. */
export const PARTS = [
  'bm25',
  'coverage',
  'vector',
  'said',
  'exact',
  'neighbours',
  'session',
  'time',
  'length',
  'newest',
  'diversity',
] as const
const FACTORS = [0, 0.5, 0.75, 1.3, 1.8]
const PASSES = 3
const WORTH_IT = 0.0002

export interface Fitter<C, M> {
  measured(weights: Weights): readonly M[]
  fit(among: (one: C) => boolean): Weights
}

/** `value` rates measured cases. */
export function fitter<M, C extends Case<M>>(
  cases: readonly C[],
  scoresOf: ScoresOf,
  value: (some: readonly (readonly [one: C, measured: M])[]) => number,
): Fitter<C, M> {
  const known = new Map<string, readonly M[]>()
  function measured(weights: Weights): readonly M[] {
    const key = JSON.stringify(weights)
    const all = known.get(key) ?? cases.map(({ features, measure }) => measure(features.map((some) => scoresOf(some, weights).order)))
    known.set(key, all)
    return all
  }
  return {
    measured,
    fit(among) {
      const chosen = cases.flatMap((one, i) => (among(one) ? [i] : []))
      return descend({ ...START, ...REST }, (weights) => {
        const all = measured(weights)
        return value(chosen.map((i) => [cases[i] as C, all[i] as M]))
      })
    },
  }
}

function descend(start: Weights, value: (weights: Weights) => number): Weights {
  let weights = start
  let best = value(weights)
  for (let pass = 0; pass < PASSES; pass++) {
    const before = best
    for (const name of FITTED) {
      const now = weights[name]
      for (const factor of FACTORS) {
        const tried = { ...weights, [name]: Math.round((now === 0 ? 0.1 * factor : now * factor) * 1000) / 1000 }
        const reached = value(tried)
        if (reached > best + 1e-6) [weights, best] = [tried, reached]
      }
    }
    if (best - before < WORTH_IT) break
  }
  return weights
}

/** Weights of words do not move to another part: the part is really gone. */
export function without(weights: Weights, part: keyof Weights): Weights {
  return { ...weights, [part]: 0 }
}
