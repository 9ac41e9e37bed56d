/** Fits the weights of ranking by coordinate descent over a grid: no chance in it, and few numbers to fit. */
import type { Question } from './retrieval-data.ts'
import type { Unit } from './retrieval-home.ts'
import { type Recall, recallOf } from './retrieval-metrics.ts'

type Rank = typeof import('../src/search/rank.ts')
export type Features = ReturnType<Rank['featuresOf']>
export type Weights = import('../src/search/rank.ts').Weights
export type ScoresOf = Rank['scoresOf']

/** One question with what the product found for it. */
export interface Case {
  readonly conversation: string
  readonly question: Question
  readonly features: Features
  /** The unit of each candidate. */
  readonly units: readonly Unit[]
}

/** Where every fit begins: round numbers that nothing was fitted on. */
const START = { bm25: 0.2, coverage: 0.2, vector: 0.5, said: 0.1, exact: 0.05, neighbours: 0.3, session: 0.3 } as const
const REST = { speaks: 0.2, time: 0.2, length: 0.1, newest: 0.1, recency: 0.002, diversity: 0.1 } as const
/** The others stay: `vector` is the scale, and for `exact`, `speaks`, `newest` and `recency` these conversations have too few questions. */
const FITTED = ['session', 'bm25', 'coverage', 'said', 'neighbours', 'time', 'diversity', 'length'] as const
const FACTORS = [0, 0.5, 0.75, 1.3, 1.8]
const PASSES = 3
const WORTH_IT = 0.0002

export interface Fitter {
  recalls(weights: Weights): readonly Recall[]
  /** The best weights for these cases. */
  fit(among: (one: Case) => boolean): Weights
}

export function fitter(cases: readonly Case[], scoresOf: ScoresOf): Fitter {
  const known = new Map<string, readonly Recall[]>()
  function recalls(weights: Weights): readonly Recall[] {
    const key = JSON.stringify(weights)
    let all = known.get(key)
    if (all === undefined) {
      all = cases.map(({ features, units, question }) => {
        const order = scoresOf(features, weights).order.map((i) => units[i] as Unit)
        return recallOf(order, question)
      })
      known.set(key, all)
    }
    return all
  }
  return {
    recalls,
    fit(among) {
      const chosen = cases.flatMap((one, i) => (among(one) ? [i] : []))
      const value = (weights: Weights) => {
        const all = recalls(weights)
        return chosen.reduce((sum, i) => sum + goodness(all[i] as Recall), 0) / chosen.length
      }
      return descend({ ...START, ...REST }, value)
    },
  }
}

function goodness({ at10, budget, gain }: Recall): number {
  return (at10 + budget + gain) / 3
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
