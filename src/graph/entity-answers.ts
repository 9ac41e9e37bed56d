/** What is told of entities: the shapes that the library gives and that `--json` prints. */
import type { Trust } from '../core/trust.ts'
import type { MentioningEpisode } from './read/mentions.ts'
import type { Neighbour } from './read/neighbours.ts'
import type { SynthesizedStatement } from './read/synthesize.ts'

export interface EntitySummary {
  readonly id: string
  readonly type: string
  readonly name: string
  /** By what it is known: `email:sarah@example.com`, `path:src/store.ts`. */
  readonly known_by: string
  readonly agent_id: string
  readonly trust: Trust
  /** Messages that name it, or any part of it. */
  readonly mentions: number
  readonly observations: number
  /** How many entities it is made of: 1 where nothing was merged. */
  readonly parts: number
  /** The first and the last message that names it. */
  readonly first_seen: string | null
  readonly last_seen: string | null
}

export interface EntityList {
  /** The most often named first. */
  readonly entities: readonly EntitySummary[]
  readonly total: number
  /** Files that one message names: `--type document` lists them too. */
  readonly left_out: number
}

export interface EntityAlias {
  readonly type: string
  readonly value: string
  /** `header`: a program wrote it; `text`: somebody said so; `owner`: you did. */
  readonly given_by: 'header' | 'text' | 'owner'
  readonly trust: Trust
  /** Messages or decisions that give it. */
  readonly times: number
}

export interface EntityPart {
  readonly id: string
  readonly name: string
  /** By what it is known: `email:sarah@example.com`. */
  readonly known_by: string
}

export interface ShownEntity {
  readonly entity: EntitySummary
  /** The time that was asked for. What follows the statements is as it is now. */
  readonly as_of: string | null
  /** What holds, what held before, what is only claimed; each with the messages that say so. */
  readonly current: readonly SynthesizedStatement[]
  readonly former: readonly SynthesizedStatement[]
  readonly uncertain: readonly SynthesizedStatement[]
  readonly aliases: readonly EntityAlias[]
  readonly parts: readonly EntityPart[]
  /** Those that may be the same, whatever was decided of them. */
  readonly candidates: readonly MergeCandidate[]
  /** Those that name it, the newest first. */
  readonly episodes: readonly MentioningEpisode[]
  /** Who and what it has to do with. */
  readonly neighbours: readonly Neighbour[]
}

export interface MergeCandidate {
  readonly id: string
  readonly a: EntityPart & { readonly type: string }
  readonly b: EntityPart & { readonly type: string }
  readonly confidence: number
  /** Would be applied with `graph.auto_merge: true`. */
  readonly auto_eligible: boolean
  readonly status: 'proposed' | 'merged' | 'rejected' | 'unmerged'
  readonly decided_by: string | null
  readonly evidence: readonly { readonly by: string; readonly says: string; readonly value: string }[]
}

export interface CandidateList {
  /** The surest first. */
  readonly candidates: readonly MergeCandidate[]
  readonly total: number
}
