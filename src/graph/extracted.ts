/** What an analysis found of the graph in one episode, before it is resolved and written: rules and models give the same shape. */

import type { GraphMessage } from './graph-episode.ts'

/** Where a text says it: a message of either ledger, and a span of its text in UTF-16 units, as the ledger has it. */
export interface Span {
  readonly message: string
  readonly start: number
  readonly end: number
}

/** What tells who it is. A header or a handle was written by a program; what a text says can be anybody's claim. */
export interface ExtractedAlias {
  readonly type: 'email' | 'phone' | 'handle' | 'username' | 'name' | 'repository' | 'package' | 'path'
  readonly value: string
  readonly from: 'header' | 'text'
  /** Absent where it stands in a header, not in the text: then the message alone is its source. */
  readonly span?: Span
  /** It may be called so: a reason to ask whether two are one, and never its name. */
  readonly maybe?: boolean
}

/** By this `ref` an extraction names the owner, of whom a harness seldom knows more than "I". */
export const OWNER_REF = 'owner'

export interface ExtractedEntity {
  /** By which the observations of the same extraction name it. */
  readonly ref: string
  /** One of `entityTypes`. */
  readonly type: string
  readonly name: string
  /** Of a person of whom the text gives a first name: who that is to the speaker, or from where (`sibling`, `from acme`). It is a part of the key. */
  readonly qualifier?: string | undefined
  readonly aliases: readonly ExtractedAlias[]
  /** At least one: every place that names it. */
  readonly mentions: readonly Span[]
  readonly confidence: number
  /** Not named here, only meant: by what it is known stands in the graph, or with the messages that name it. It gets no alias of its own here. */
  readonly elsewhere?: { readonly id: string } | { readonly entity: ExtractedEntity; readonly messages: readonly GraphMessage[] }
}

export interface ExtractedObservation {
  /** The `ref` of an entity of the same extraction. */
  readonly subject: string
  /** In SCREAMING_SNAKE_CASE, free. Identity (HAS_EMAIL, HAS_PHONE, HAS_HANDLE, HAS_USERNAME, ALSO_KNOWN_AS) becomes an alias when written. */
  readonly type: string
  /** Either the `ref` of an entity, or a literal. */
  readonly object: { readonly ref: string } | { readonly literal: string }
  /** One sentence that says it, in the words of the text. */
  readonly fact: string
  readonly confidence: number
  /** That of the run when absent. */
  readonly sourceType?: 'stated' | 'inferred'
  /** Milliseconds UTC, where the text says since when or until when it holds. */
  readonly validAt?: number
  readonly invalidAt?: number
  readonly span: Span
}

export interface Extracted {
  readonly entities: readonly ExtractedEntity[]
  readonly observations: readonly ExtractedObservation[]
}
