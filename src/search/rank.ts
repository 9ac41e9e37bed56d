/** Orders what was found: scores are fused, not ranks. Pure: reads nothing, and the same input gives the same order. */
import type { Plan, PlannedTerm } from './plan.ts'

/** What each part of a score can give. The benchmark decides these numbers; change them there, with its table. */
export const WEIGHTS = {
  /** The engine's own score, against the best one. */
  bm25: 0.45,
  /** The share of the query's worth (rare words are worth more) that the chunk holds. */
  coverage: 0.15,
  /** The chunk before or after was found too. */
  neighbours: 0.2,
  /** The session as a whole was found often. */
  session: 0.1,
  /** Exact tokens, quoted phrases, and words that stand side by side as in the query. */
  exact: 0.1,
  /** Newer first, where all else is equal. */
  recency: 0.002,
} as const
/** More than all others together: what the named person said comes first, and among that, what they said best. */
const SPEAKER_WEIGHT = 2
const SPEAKER_LEAST = 1.1

export interface Candidate {
  readonly chunkId: number
  readonly bm25: number
  /** The engine's score within the words of the person that the question asks for; 0 where they did not say it. */
  readonly said: number
  /** The session, or the document where there is none: what neighbours share. */
  readonly group: string
  readonly chunkIndex: number
  readonly timestamp: number
  readonly contentHash: string
}

export interface Ranked {
  readonly chunkId: number
  /** 0 to 1. */
  readonly score: number
  readonly parts: Readonly<Record<string, number>>
  readonly matched: readonly string[]
}

export interface Ranking {
  readonly plan: Plan
  readonly candidates: readonly Candidate[]
  /** For each term of the plan (all, any, common), the chunks that hold it. */
  readonly held: readonly ReadonlySet<number>[]
  /** For each pair of the plan, likewise. */
  readonly pairsHeld: readonly ReadonlySet<number>[]
}

/** Best first; of chunks with the same content only the best one stays. */
export function rank({ plan, candidates, held, pairsHeld }: Ranking): Ranked[] {
  const terms = [...plan.all, ...plan.any, ...plan.common]
  const scored = support(
    candidates.map((candidate) => ({ candidate, ...own(candidate, { terms, held, pairsHeld, best: most(candidates) }) })),
  )
  const possible = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0) + (plan.person ? SPEAKER_WEIGHT : 0)
  const bestSaid = candidates.reduce((max, { said }) => Math.max(max, said), 0)
  const ordered = scored
    .map(({ candidate, parts, matched }) => {
      const all = plan.person ? { ...parts, speaker: speakerPart(candidate.said, bestSaid) } : parts
      const total = Object.values(all).reduce((sum, part) => sum + part, 0)
      return { candidate, parts: all, matched, score: Math.min(1, total / possible) }
    })
    .toSorted((a, b) => b.score - a.score || b.candidate.timestamp - a.candidate.timestamp || a.candidate.chunkId - b.candidate.chunkId)
  return fold(ordered).map(({ candidate, parts, matched, score }) => ({ chunkId: candidate.chunkId, score, parts, matched }))
}

function speakerPart(said: number, best: number): number {
  return said > 0 ? SPEAKER_LEAST + (SPEAKER_WEIGHT - SPEAKER_LEAST) * share(said, best) : 0
}

function most(candidates: readonly Candidate[]): number {
  return candidates.reduce((max, { bm25 }) => Math.max(max, bm25), 0)
}

interface Evidence {
  readonly terms: readonly PlannedTerm[]
  readonly held: readonly ReadonlySet<number>[]
  readonly pairsHeld: readonly ReadonlySet<number>[]
  readonly best: number
}

interface Own {
  readonly parts: Record<string, number>
  readonly matched: readonly string[]
}

/** What a chunk earns by itself. */
function own({ chunkId, bm25 }: Candidate, { terms, held, pairsHeld, best }: Evidence): Own {
  const found = terms.filter((_term, i) => held[i]?.has(chunkId))
  const exact = terms.filter(({ kind }) => kind === 'exact' || kind === 'phrase')
  const pairs = pairsHeld.filter((chunks) => chunks.has(chunkId)).length
  const bonus = [
    share(worth(found.filter((term) => exact.includes(term))), worth(exact)),
    pairsHeld.length === 0 ? 0 : pairs / pairsHeld.length,
  ]
  return {
    matched: shown(found),
    parts: {
      bm25: WEIGHTS.bm25 * share(bm25, best),
      coverage: WEIGHTS.coverage * share(worth(found), worth(terms)),
      exact: WEIGHTS.exact * Math.max(...bonus),
    },
  }
}

function worth(terms: readonly PlannedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

/** The words that matched, as they were typed; parts of an identifier only where the whole is not there. */
function shown(all: readonly PlannedTerm[]): string[] {
  const found = all.toSorted((a, b) => a.position - b.position)
  const whole = found.filter(({ kind }) => kind !== 'part')
  const text = [...new Set(whole.map((term) => term.text))]
  const parts = found.filter(
    ({ kind, text: part }) => kind === 'part' && !text.some((one) => one.toLowerCase().includes(part.toLowerCase())),
  )
  return [...text, ...new Set(parts.map((term) => term.text))]
}

interface Scored extends Own {
  readonly candidate: Candidate
}

/** What the chunks around a chunk, its session and its date add. */
function support(scored: readonly Scored[]): Scored[] {
  const base = new Map(scored.map(({ candidate, parts }) => [place(candidate.group, candidate.chunkIndex), sum(parts)]))
  const sessions = new Map<string, number>()
  for (const { candidate, parts } of scored) sessions.set(candidate.group, (sessions.get(candidate.group) ?? 0) + sum(parts))
  const best = Math.max(0, ...base.values())
  const busiest = Math.log1p(Math.max(0, ...sessions.values()))
  const times = scored.map(({ candidate }) => candidate.timestamp)
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  return scored.map(({ candidate, parts, matched }) => {
    const { group, chunkIndex, timestamp } = candidate
    const beside = [chunkIndex - 1, chunkIndex + 1].map((index) => base.get(place(group, index)) ?? 0)
    return {
      candidate,
      matched,
      parts: {
        ...parts,
        neighbours: WEIGHTS.neighbours * share(Math.max(...beside), best),
        session: WEIGHTS.session * share(Math.log1p(sessions.get(group) ?? 0), busiest),
        recency: WEIGHTS.recency * share(timestamp - oldest, newest - oldest),
      },
    }
  })
}

function place(group: string, index: number): string {
  return `${group}\n${index}`
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0)
}

function fold<T extends { readonly candidate: Candidate }>(ordered: readonly T[]): T[] {
  const seen = new Set<string>()
  return ordered.filter(({ candidate }) => {
    if (seen.has(candidate.contentHash)) return false
    seen.add(candidate.contentHash)
    return true
  })
}
