/** What `rank.ts` orders: the candidates of one search, and what is known of each. The weights are in `rank.ts`. */
import type { Intent } from './intent.ts'
import type { Plan } from './plan.ts'

export interface Candidate {
  readonly chunkId: number
  /** 0 where the words did not find it. */
  readonly bm25: number
  /** The engine's score within the words of the person that the question names; 0 where they did not say it. */
  readonly said: number
  /** That person speaks in the chunk, whatever they say. */
  readonly speaks: boolean
  /** The cosine; undefined where the chunk has no vector, or the search none. */
  readonly similarity?: number | undefined
  /** How near token by token, 0 to 1; undefined where it is not compared so. */
  readonly match?: number
  /** The turn of an agent's session that it is a part of; undefined for all else. */
  readonly turn?: string | undefined
  /** The session, the conversation, or the document where there is neither: what people see as one. */
  readonly group: string
  /** What chunks are numbered in, and lend support to each other in, where that is less than the group: an episode of a conversation. */
  readonly unit?: string
  /** The chunks beside it in another document: those of the episodes before and after. */
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
  /** For each term of the plan (all, any, common), the chunks that hold it. */
  readonly held: readonly ReadonlySet<number>[]
  /** For each pair of the plan, likewise. */
  readonly pairsHeld: readonly ReadonlySet<number>[]
}

export interface Ranked {
  readonly chunkId: number
  /** The session, the conversation, or the document where there is neither. */
  readonly group: string
  /** 0 to 1; falls with rank. */
  readonly score: number
  readonly parts: Readonly<Record<string, number>>
  readonly matched: readonly string[]
  /** The turn of an agent's session that it is a part of. */
  readonly turn?: string
  /** Further chunks of that turn that were found: they are one hit with it. */
  readonly joined?: readonly number[]
  /** Of what people wrote to each other; known where a time is listed. */
  readonly isConversation?: boolean
  /** Positions of the phrasings that found it, where there are several. */
  readonly foundBy?: readonly number[]
  /** Its rank in the list of each of those, from 1. */
  readonly foundAt?: readonly number[]
}

/** One part of the score: a number from 0 to 1 for each candidate, in their order. */
export type PartOf = (ranking: Ranking) => Float64Array

/** A part that looks at one candidate after the other. */
export function eachCandidate({ candidates }: Ranking, value: (candidate: Candidate, i: number) => number): Float64Array {
  return Float64Array.from(candidates, value)
}

export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
