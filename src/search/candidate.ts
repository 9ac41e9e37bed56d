import type { Intent } from './intent.ts'
import type { Plan } from './plan.ts'

export interface Candidate {
  readonly chunkId: number
  /** 0 if no word matched. */
  readonly bm25: number
  /** Engine score within the words of the person that the question names, else 0. */
  readonly said: number
  /** That person speaks anywhere in the chunk. */
  readonly speaks: boolean
  readonly similarity?: number | undefined
  readonly match?: number
  readonly turn?: string | undefined
  /** Session, else conversation, else document. */
  readonly group: string
  /** Scope of neighbours if it is narrower than the group: an episode of a conversation. */
  readonly unit?: string
  readonly beside?: { readonly before?: ChunkPlace; readonly after?: ChunkPlace }
  readonly chunkIndex: number
  readonly timestamp: number
  readonly tokens: number
  readonly contentHash: string
}

export interface ChunkPlace {
  readonly unit: string
  readonly chunkIndex: number
}

export interface Ranking {
  readonly plan: Plan
  readonly intent: Intent
  readonly candidates: readonly Candidate[]
  /** Per term of the plan (all, any, common): the chunks that hold it. */
  readonly held: readonly ReadonlySet<number>[]
  readonly pairsHeld: readonly ReadonlySet<number>[]
}

export interface Ranked {
  readonly chunkId: number
  readonly group: string
  /** 0 to 1; falls with rank. */
  readonly score: number
  readonly parts: Readonly<Record<string, number>>
  readonly matched: readonly string[]
  readonly turn?: string
  /** Other chunks of the turn, folded into this hit. */
  readonly joined?: readonly number[]
  readonly isConversation?: boolean
  readonly foundBy?: readonly number[]
  readonly foundAt?: readonly number[]
}

/** One part of the score: 0 to 1 per candidate, in their order. */
export type PartOf = (ranking: Ranking) => Float64Array

export function eachCandidate({ candidates }: Ranking, value: (candidate: Candidate, i: number) => number): Float64Array {
  return Float64Array.from(candidates, value)
}

export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
