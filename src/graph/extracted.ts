import type { GraphMessage } from './graph-episode.ts'

/** UTF-16 offsets into the ledger's text. */
export interface Span {
  readonly message: string
  readonly start: number
  readonly end: number
}

/** Programs write headers; a text can claim anything. */
export interface ExtractedAlias {
  readonly type: 'email' | 'phone' | 'handle' | 'username' | 'name' | 'repository' | 'package' | 'path'
  readonly value: string
  readonly from: 'header' | 'text'
  /** Absent for headers: the message alone is the source. */
  readonly span?: Span
  /** A hint for merge candidates, never a displayed name. */
  readonly maybe?: boolean
}

/** The `ref` of the owner, whom a harness seldom names. */
export const OWNER_REF = 'owner'

export interface ExtractedEntity {
  readonly ref: string
  readonly type: string
  readonly name: string
  /** Relation or origin of a person known by first name: `sibling`, `from acme`. Part of the key. */
  readonly qualifier?: string | undefined
  readonly aliases: readonly ExtractedAlias[]
  readonly mentions: readonly Span[]
  readonly confidence: number
  /** Meant here but not named. Points to a known entity, or to the entity and messages that name it. Gets no alias here. */
  readonly elsewhere?: { readonly id: string } | { readonly entity: ExtractedEntity; readonly messages: readonly GraphMessage[] }
}

export interface ExtractedObservation {
  readonly subject: string
  /** SCREAMING_SNAKE_CASE, any value. Identity types (HAS_EMAIL, HAS_PHONE, HAS_HANDLE, HAS_USERNAME, ALSO_KNOWN_AS) become aliases. */
  readonly type: string
  readonly object: { readonly ref: string } | { readonly literal: string }
  readonly fact: string
  readonly confidence: number
  /** Default: that of the run. */
  readonly sourceType?: 'stated' | 'inferred'
  readonly validAt?: number
  readonly invalidAt?: number
  readonly span: Span
}

export interface Extracted {
  readonly entities: readonly ExtractedEntity[]
  readonly observations: readonly ExtractedObservation[]
}
