/** Fuses scores, not ranks. Pure and deterministic. */
import { given } from '../core/given.ts'
import type { Candidate, PartOf, Ranked, Ranking } from './candidate.ts'
import type { PlannedTerm } from './plan.ts'
import { bm25, coverage, exact, length, newest, recency, said, speaks, time, tokens, vector } from './rank-parts.ts'
import { beside, bestOfSession, type Positions, positionsOf, rankAmong } from './support.ts'

/** Maximum of each part. `npm run bench -- retrieval` fits them: docs/ranking.md. */
export const WEIGHTS = {
  /** Engine score, relative to the best. */
  bm25: 0.13,
  /** Share of the query's weight that the chunk holds. */
  coverage: 0.2,
  vector: 0.5,
  /** Token by token: `token-weights.ts` has the weights for that order. */
  tokens: 0,
  /** Engine score within the named person's words. If nobody is named, it goes to bm25. */
  said: 0.15,
  /** Exact tokens, quoted phrases, adjacent words. */
  exact: 0.05,
  /** Share of the parts above, from the chunks before and after. */
  neighbours: 0.3,
  /** Share of them from the best chunk of the session. */
  session: 0.9,
  speaks: 0.2,
  time: 0.5,
  length: 0.2,
  newest: 0.1,
  /** Newer first, on a tie. */
  recency: 0.002,
  /** Penalty of further chunks of a session, so that other sessions appear. */
  diversity: 0.28,
  /** Extra penalty of further chunks of a turn: mostly repetition. */
  turn: 0.4,
} as const

export type Weights = Readonly<Record<keyof typeof WEIGHTS, number>>

/** Earned by the chunk, and lent to those around it. */
const OWN = { bm25, coverage, vector, tokens, said, exact } as const satisfies Record<string, PartOf>
/** For the chunk alone. */
const ALONE = { speaks, time, length, newest, recency } as const satisfies Record<string, PartOf>
type OwnPart = keyof typeof OWN
type AlonePart = keyof typeof ALONE
const OWN_PARTS = Object.keys(OWN) as OwnPart[]
const ALONE_PARTS = Object.keys(ALONE) as AlonePart[]

/** Penalty growth per additional chunk of the same session or turn. */
const SPREAD = 0.65
/**
 * "What did Jason say about X" outweighs all other parts. By words, his best statement about X leads. With vectors he may paraphrase: any
 * chunk in which he speaks leads.
 */
const SPEAKER_WEIGHT = 2
const SPEAKER_LEAST = 1.1
const SAID_WITH_VECTORS = 0.1

export interface Features {
  readonly values: Readonly<Record<OwnPart | AlonePart, Float64Array>>
  readonly positions: Positions
  /** All candidates, newest first, to break ties. */
  readonly ties: readonly number[]
  /** Index of the first candidate with the same content. */
  readonly content: Int32Array
  /** The question asks for somebody's words, or only names somebody. */
  readonly person: 'asked' | 'named' | undefined
  readonly vectors: boolean
}

export interface Scores {
  readonly order: readonly number[]
  score(candidate: number): number
  parts(candidate: number): Record<string, number>
}

/** Best first, deduped by content. With `among`, ranks only those, with parts relative to all. */
export function rank(ranking: Ranking, weights: Weights = WEIGHTS, among?: (candidate: Candidate) => boolean): Ranked[] {
  const { plan, held } = ranking
  const terms = [...plan.all, ...plan.any, ...plan.common]
  const candidates = among === undefined ? ranking.candidates : ranking.candidates.filter(among)
  const { order, score, parts } = scoresOf(featuresOf(ranking, among), weights)
  return order.map((i) => {
    const { chunkId, group, turn } = candidates[i] as Candidate
    const matched = matchedWords(terms.filter((_term, n) => held[n]?.has(chunkId)))
    return { chunkId, group, score: score(i), parts: parts(i), matched, ...given({ turn }) }
  })
}

export function featuresOf(ranking: Ranking, among: (candidate: Candidate) => boolean = () => true): Features {
  const { plan, intent } = ranking
  const chosen = ranking.candidates.map(among)
  const candidates = ranking.candidates.filter((_candidate, i) => chosen[i])
  const parts = Object.entries({ ...OWN, ...ALONE }).map(([name, part]) => [name, part(ranking).filter((_value, i) => chosen[i])])
  const first = new Map(candidates.map(({ contentHash }, i) => [contentHash, i] as const).toReversed())
  const ties = [...candidates.keys()].toSorted((a, b) => {
    const [x, y] = [candidates[a] as Candidate, candidates[b] as Candidate]
    return y.timestamp - x.timestamp || x.chunkId - y.chunkId
  })
  return {
    values: Object.fromEntries(parts) as Features['values'],
    positions: positionsOf(candidates),
    ties,
    content: Int32Array.from(candidates, ({ contentHash }, i) => first.get(contentHash) ?? i),
    person: plan.person ? 'asked' : intent.mentioned ? 'named' : undefined,
    vectors: candidates.some(({ similarity }) => similarity !== undefined),
  }
}

export function scoresOf(features: Features, given: Weights): Scores {
  const { values, positions, person } = features
  const weights = person ? given : { ...given, bm25: given.bm25 + given.said, said: 0 }
  const own = weighted(values, OWN_PARTS, weights)
  const near = beside(own, positions)
  const best = bestOfSession(own, positions)
  const speaker = person === 'asked' ? speakerPart(features) : undefined
  const possible = most(features, weights)
  const total = weighted(values, ALONE_PARTS, weights)
  for (let i = 0; i < total.length; i++) {
    const around = weights.neighbours * (near[i] as number) + weights.session * (best[i] as number)
    total[i] = ((total[i] as number) + (own[i] as number) + around) / possible + (speaker?.[i] ?? 0)
  }
  const kept = fold(sorted(features.ties, total), features.content)
  const [inGroup, inTurn] = [rankAmong(kept, positions.group), rankAmong(kept, positions.turn)]
  const lost = total.map(
    (_value, i) =>
      (weights.diversity * (1 - SPREAD ** (inGroup[i] as number)) + weights.turn * (1 - SPREAD ** (inTurn[i] as number))) / possible,
  )
  const final = total.map((value, i) => value - (lost[i] as number))
  const whole = speaker ? 1 + SPEAKER_WEIGHT : 1
  return {
    order: sorted(kept, final),
    score: (i) => Math.min(1, Math.max(0, (final[i] as number) / whole)),
    parts(i) {
      const parts: Record<string, number> = {}
      for (const name of [...OWN_PARTS, ...ALONE_PARTS]) {
        if (weights[name] > 0 && (name !== 'vector' || features.vectors))
          parts[name] = (weights[name] * (values[name][i] as number)) / possible
      }
      parts.neighbours = (weights.neighbours * (near[i] as number)) / possible
      parts.session = (weights.session * (best[i] as number)) / possible
      parts.diversity = -(lost[i] as number)
      return speaker ? { ...parts, speaker: speaker[i] as number } : parts
    },
  }
}

function speakerPart({ values, vectors }: Features): Float64Array {
  if (vectors) return values.speaks.map((there, i) => SPEAKER_LEAST * there + SAID_WITH_VECTORS * (values.said[i] as number))
  return values.said.map((value) => (value > 0 ? SPEAKER_LEAST + (SPEAKER_WEIGHT - SPEAKER_LEAST) * value : 0))
}

function weighted(values: Features['values'], parts: readonly (OwnPart | AlonePart)[], weights: Weights): Float64Array {
  const sum = new Float64Array(values.bm25.length)
  for (const part of parts) {
    const value = values[part]
    const weight = weights[part]
    if (weight === 0) continue
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (value[i] as number)
  }
  return sum
}

/** Highest possible score in this search; a score is a share of it. */
function most({ values, vectors }: Features, weights: Weights): number {
  const own = OWN_PARTS.reduce((sum, part) => sum + (part === 'vector' && !vectors ? 0 : weights[part]), 0)
  const asked = (part: 'speaks' | 'time' | 'newest') => (values[part].some((value) => value > 0) ? weights[part] : 0)
  return (
    own * (1 + weights.neighbours + weights.session) + weights.length + weights.recency + asked('speaks') + asked('time') + asked('newest')
  )
}

function sorted(candidates: readonly number[], by: Float64Array): number[] {
  return candidates.toSorted((a, b) => (by[b] as number) - (by[a] as number))
}

function fold(order: readonly number[], content: Int32Array): number[] {
  const seen = new Set<number>()
  return order.filter((i) => {
    const number = content[i] as number
    return !seen.has(number) && seen.add(number)
  })
}

/** As typed. Parts of an identifier only if the whole is missing. */
function matchedWords(all: readonly PlannedTerm[]): string[] {
  const found = all.toSorted((a, b) => a.position - b.position)
  const whole = found.filter(({ kind }) => kind !== 'part')
  const text = [...new Set(whole.map((term) => term.text))]
  const parts = found.filter(
    ({ kind, text: part }) => kind === 'part' && !text.some((one) => one.toLowerCase().includes(part.toLowerCase())),
  )
  return [...text, ...new Set(parts.map((term) => term.text))]
}
