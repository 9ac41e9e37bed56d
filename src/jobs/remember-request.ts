/** What is stated, by whom, of what. */
import type { RememberType } from '../core/remember-type.ts'

export interface RememberRequest {
  readonly text: string
  /** A person who states it, or an agent: then it is a proposal, whatever it says. */
  readonly by: 'owner' | 'agent'
  /** Read from the text when absent. */
  readonly type?: RememberType | undefined
  /** The entity that it is about, by id, name or address; one that is not known is made, of the type `aboutType` or `entity`. */
  readonly about?: string | undefined
  readonly aboutType?: string | undefined
  /** A folder, or the name of a project. */
  readonly project?: string | undefined
  /** What it puts right: the id of something remembered, of a decision or of an observation. */
  readonly corrects?: string | undefined
  /** The text says what the entity is called or how it is reached, and this is it. */
  readonly alias?: { readonly type: string; readonly value: string } | undefined
  /** The text says this of the entity, and is not read for it: `WORKS_AT`, `Initech`. */
  readonly relation?: RelationRequest | undefined
  /** What the agent that proposes it calls itself. */
  readonly from?: string | undefined
}

export interface RelationRequest {
  readonly type: string
  readonly object: string
  readonly objectType?: string | undefined
  /** 0 to 1; 1 when absent. */
  readonly confidence?: number | undefined
  readonly sourceType?: string | undefined
}
