/** What is told of entities: the shapes that the library gives and that `--json` prints. */
import type { Trust } from '../core/trust.ts'

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

export interface EntityObservation {
  readonly id: string
  readonly type: string
  /** Seen from the entity: it is the object of what somebody else is said to be. */
  readonly direction: 'subject' | 'object'
  readonly other: { readonly id: string; readonly name: string; readonly type: string } | null
  readonly literal: string | null
  readonly fact: string
  readonly confidence: number
  readonly source_type: string
  readonly trust: Trust
  readonly said_at: string
  readonly valid_at: string | null
  readonly invalid_at: string | null
  readonly message_id: string | null
  readonly span: readonly [number, number] | null
}

export interface ShownEntity {
  readonly entity: EntitySummary
  readonly aliases: readonly EntityAlias[]
  readonly parts: readonly EntityPart[]
  /** Newest first. */
  readonly observations: readonly EntityObservation[]
  readonly observations_total: number
  /** Those that may be the same. */
  readonly candidates: readonly MergeCandidate[]
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
