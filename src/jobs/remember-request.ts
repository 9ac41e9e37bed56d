import type { RememberType } from '../core/remember-type.ts'

export interface RememberRequest {
  readonly text: string
  /** An agent's statement is always a proposal. */
  readonly by: 'owner' | 'agent'
  /** If absent: inferred from the text. */
  readonly type?: RememberType | undefined
  /** By id, name or address. Creates an unknown entity of `aboutType`, default `entity`. */
  readonly about?: string | undefined
  readonly aboutType?: string | undefined
  /** A folder or project name. */
  readonly project?: string | undefined
  /** Id of a statement, decision or observation. */
  readonly corrects?: string | undefined
  /** The text states this name or address of the entity. */
  readonly alias?: { readonly type: string; readonly value: string } | undefined
  /** Used instead of parsing the text: `WORKS_AT`, `Initech`. */
  readonly relation?: RelationRequest | undefined
  /** The proposing agent's name for itself. */
  readonly from?: string | undefined
}

export interface RelationRequest {
  readonly type: string
  readonly object: string
  readonly objectType?: string | undefined
  /** 0 to 1, default 1. */
  readonly confidence?: number | undefined
  readonly sourceType?: string | undefined
}
