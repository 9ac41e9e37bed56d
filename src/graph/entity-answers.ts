import type { Trust } from '../core/trust.ts'
import type { MentioningEpisode } from './read/mentions.ts'
import type { Neighbour } from './read/neighbours.ts'
import type { SynthesizedStatement } from './read/synthesize.ts'

export interface EntitySummary {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly known_by: string
  readonly agent_id: string
  readonly trust: Trust
  readonly mentions: number
  readonly observations: number
  readonly parts: number
  readonly first_seen: string | null
  readonly last_seen: string | null
}

export interface EntityList {
  readonly entities: readonly EntitySummary[]
  readonly total: number
  /** Files with one mention: `--type document` includes them. */
  readonly left_out: number
}

export interface EntityAlias {
  readonly type: string
  readonly value: string
  /** `header`: written by a program; `text`: said by somebody; `owner`: given by you. */
  readonly given_by: 'header' | 'text' | 'owner'
  readonly trust: Trust
  readonly times: number
}

export interface EntityPart {
  readonly id: string
  readonly name: string
  readonly known_by: string
}

export interface ShownEntity {
  readonly entity: EntitySummary
  /** Requested time. Only statements follow it; other fields show the present. */
  readonly as_of: string | null
  readonly current: readonly SynthesizedStatement[]
  readonly former: readonly SynthesizedStatement[]
  readonly uncertain: readonly SynthesizedStatement[]
  readonly aliases: readonly EntityAlias[]
  readonly parts: readonly EntityPart[]
  readonly candidates: readonly MergeCandidate[]
  readonly episodes: readonly MentioningEpisode[]
  readonly neighbours: readonly Neighbour[]
}

export interface MergeCandidate {
  readonly id: string
  readonly a: EntityPart & { readonly type: string }
  readonly b: EntityPart & { readonly type: string }
  readonly confidence: number
  readonly auto_eligible: boolean
  readonly status: 'proposed' | 'merged' | 'rejected' | 'unmerged'
  readonly decided_by: string | null
  readonly evidence: readonly { readonly by: string; readonly says: string; readonly value: string }[]
}

export interface CandidateList {
  readonly candidates: readonly MergeCandidate[]
  readonly total: number
}
