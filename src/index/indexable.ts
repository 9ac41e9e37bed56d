/** Port for indexable kinds: implement it and register in `indexables.ts`. */
import type { Kysely } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { MetaKey } from '../store/meta.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Owner } from './chunk-row.ts'
import type { DocumentKind, IndexDocument } from './document.ts'

export interface Indexable {
  readonly kinds: readonly DocumentKind[]
  /** Shared by kinds of one order (turns, compactions). */
  readonly feed: Feed
  /** Loads several items at once. */
  builder(db: Kysely<Tables>, items: readonly Item[], options: BuildOptions): Promise<(id: string) => Promise<IndexDocument>>
}

export interface BuildOptions {
  readonly maxTokens: number
  readonly owner: Owner
}

/** A group shares chunk numbers: a session, or one document. */
export interface Feed {
  /** Each has a cursor: an agent's sessions, or all documents. */
  scopes(db: Kysely<Tables>, agentId?: string): Promise<string[]>
  cursorKey(scope: string): MetaKey
  /** 0 if empty. */
  newest(db: Kysely<Tables>): Promise<number>
  /** Each group once. */
  changed(db: Kysely<Tables>, scope: string, since: Since): Waiting
  /** Unchanged, but without a document (dropped or forgotten). */
  missing?(db: Kysely<Tables>, upTo: number): Waiting
  /** Runs after all visits; removes documents of vanished groups. */
  prune?(tx: WriteTx): Promise<number>
  open(db: Kysely<Tables>, id: string, options: VisitOptions): Promise<Group | undefined>
  /** Opens many small groups as one; omits unknown ids. */
  readonly openSome?: ((db: Kysely<Tables>, ids: readonly string[], options: VisitOptions) => Promise<Group | undefined>) | undefined
}

export interface Since {
  /** Undefined: all. */
  readonly after: number | undefined
  /** Later changes are left to the next run. */
  readonly upTo: number
}

/** Paged: there may be a million. */
export interface Waiting {
  count(): Promise<number>
  pages(limit: number): AsyncIterable<Page>
}

export interface Page {
  readonly ids: readonly string[]
  /** Absent: the cursor moves only at the end. */
  readonly reached?: number
}

export interface Group {
  readonly name: string
  readonly title: string
  /** Must leave the index. */
  readonly isGone: boolean
  /** Returns the number of documents removed. */
  remove(tx: WriteTx): Promise<number>
  /** `again` removes all documents first. Returns the last sequence with one, or -1. */
  begin(tx: WriteTx, again: boolean): Promise<number>
  items(db: Kysely<Tables>, page: ItemPage): Promise<readonly Item[]>
  /** Else the group shares numbers. */
  readonly ownNumbers?: boolean
  /** `inside`: later items already have documents. */
  numbers(tx: WriteTx, inside: boolean, document: NumberedDocument): Promise<Numbers>
  /** `next`: first free number. */
  appended(tx: WriteTx, next: number, document: NumberedDocument): Promise<void>
  wrote?(document: IndexDocument, chunks: number): void
  /** Undefined: chunks are missing, rewrite once. */
  settle(tx: WriteTx, totals: Totals, isLastTry: boolean): Promise<Visited | readonly Visited[] | undefined>
}

export interface ItemPage {
  readonly after: number
  readonly limit: number
  /** Includes items with complete documents. */
  readonly all: boolean
}

export interface Item {
  readonly id: string
  readonly kind: DocumentKind
  readonly sequence: number
  /** Null: none. An empty hash marks an unfinished one. */
  readonly file: number | null
  readonly path: string | null
  readonly hash: string | null
  readonly identity: string | null
}

export interface NumberedDocument extends Pick<IndexDocument, 'path'> {
  /** No chunks yet. */
  readonly isNew: boolean
}

/** Descending below zero until the order is settled. */
export interface Numbers {
  readonly first: number
  readonly step: 1 | -1
}

export interface VisitOptions extends BuildOptions {
  readonly identity: string
  /** Identities that need no rebuild. */
  readonly accepts: readonly string[]
  readonly analyze: boolean
  /** Per group. */
  readonly maxChunks: number
  readonly clock: Clock
  /** Check existing documents too. */
  readonly verify: boolean
  /** Rewrite all. */
  readonly force: boolean
}

export interface Totals {
  documents: number
  chunks: number
  readonly errors: Set<string>
  readonly shortened: Set<string>
}

export interface Visited {
  readonly name: string
  readonly sessionId?: string
  readonly documents: number
  readonly chunks: number
  readonly unchanged: number
  readonly removed: number
  readonly leftOut: number
  readonly errors: readonly string[]
  /** Truncated in this visit. */
  readonly shortened: readonly string[]
}
