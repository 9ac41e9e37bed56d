/** Fits the weights of ranking by coordinate descent over a grid: no chance in it, and few numbers to fit. */

type Rank = typeof import('../src/search/rank.ts')
export type Features = ReturnType<Rank['featuresOf']>
export type Weights = import('../src/search/rank.ts').Weights
export type ScoresOf = Rank['scoresOf']

/** One question with what the product found for it, and what an order of that is worth. */
export interface Case<M> {
  /** One for each phrasing of the question. */
  readonly features: readonly Features[]
  /** Of an order of candidates for each phrasing. */
  measure(orders: readonly (readonly number[])[]): M
}

/** Where every fit begins: round numbers that nothing was fitted on. */
const START = { bm25: 0.2, coverage: 0.2, vector: 0.5, said: 0.1, exact: 0.05, neighbours: 0.3, session: 0.3 } as const
const REST = { tokens: 0, speaks: 0.2, time: 0.2, length: 0.1, newest: 0.1, recency: 0.002, diversity: 0.1, turn: 0 } as const
/** The others stay: `vector` is the scale, and for `exact`, `speaks`, `newest` and `recency` these conversations have too few questions. */
const FITTED = ['session', 'bm25', 'coverage', 'said', 'neighbours', 'time', 'diversity', 'length'] as const
/** What can be left out to see what it is good for. */
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
  /** The best weights for these cases. */
  fit(among: (one: C) => boolean): Weights
}

/** `value` says how good what was measured of some cases is. */
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

/** The weights without one part. Those of the words go to no one: a part that is left out is really gone. */
export function without(weights: Weights, part: keyof Weights): Weights {
  return { ...weights, [part]: 0 }
}
