import type { RememberType } from '../core/remember-type.ts'

export interface RememberRequest {
  readonly text: string
  /** An agent only proposes. */
  readonly by: 'owner' | 'agent'
  /** Default: inferred. */
  readonly type?: RememberType | undefined
  /** By id, name or address. Created if unknown, as `aboutType` or `entity`. */
  readonly about?: string | undefined
  readonly aboutType?: string | undefined
  /** A folder or project name. */
  readonly project?: string | undefined
  /** Id of a statement, decision or observation. */
  readonly corrects?: string | undefined
  /** Stated in the text. */
  readonly alias?: { readonly type: string; readonly value: string } | undefined
  /** Instead of parsing the text: `WORKS_AT`, `Initech`. */
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
