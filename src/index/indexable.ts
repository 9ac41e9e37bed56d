/** Port for indexable kinds. To add one, implement this and register it in `indexables.ts`. */
import type { Kysely } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { MetaKey } from '../store/meta.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Owner } from './chunk-row.ts'
import type { DocumentKind, IndexDocument } from './document.ts'

export interface Indexable {
  readonly kinds: readonly DocumentKind[]
  /** Kinds with a common order (turns, compactions) share one feed. */
  readonly feed: Feed
  /** Loads data for several items at once; returns a builder by id. */
  builder(db: Kysely<Tables>, items: readonly Item[], options: BuildOptions): Promise<(id: string) => Promise<IndexDocument>>
}

export interface BuildOptions {
  readonly maxTokens: number
  readonly owner: Owner
}

/** Changes since a cursor, in groups. A group shares chunk numbers: a session, or one document. */
export interface Feed {
  /** Each scope has a cursor: an agent's sessions, or all documents. */
  scopes(db: Kysely<Tables>, agentId?: string): Promise<string[]>
  /** Key in `meta`. */
  cursorKey(scope: string): MetaKey
  /** 0 if empty. */
  newest(db: Kysely<Tables>): Promise<number>
  /** Each group once. */
  changed(db: Kysely<Tables>, scope: string, since: Since): Waiting
  /** Unchanged groups without a document: it was dropped, or a text in it was forgotten. */
  missing?(db: Kysely<Tables>, upTo: number): Waiting
  /** Removes documents of vanished groups; returns their number. Runs after all visits. */
  prune?(tx: WriteTx): Promise<number>
  /** Undefined if unknown. */
  open(db: Kysely<Tables>, id: string, options: VisitOptions): Promise<Group | undefined>
  /** Opens many small groups as one; omits unknown ids. */
  readonly openSome?: ((db: Kysely<Tables>, ids: readonly string[], options: VisitOptions) => Promise<Group | undefined>) | undefined
}

export interface Since {
  /** A cursor; undefined for all groups. */
  readonly after: number | undefined
  /** Later changes are left to the next run. */
  readonly upTo: number
}

/** Paged lazily, since there may be a million groups. */
export interface Waiting {
  count(): Promise<number>
  pages(limit: number): AsyncIterable<Page>
}

export interface Page {
  readonly ids: readonly string[]
  /** Next cursor position; absent if it may move only at the end. */
  readonly reached?: number
}

export interface Group {
  /** For warnings: `session …`. */
  readonly name: string
  /** Sections may have their own. */
  readonly title: string
  /** Must not stay in the index. */
  readonly isGone: boolean
  /** Returns the number removed. */
  remove(tx: WriteTx): Promise<number>
  /** Runs before the visit. `again` removes all documents first. Returns the last sequence with a document, or -1. */
  begin(tx: WriteTx, again: boolean): Promise<number>
  items(db: Kysely<Tables>, page: ItemPage): Promise<readonly Item[]>
  /** Documents number their chunks separately; otherwise the group shares numbers. */
  readonly ownNumbers?: boolean
  /** `inside`: later items already have documents. */
  numbers(tx: WriteTx, inside: boolean, document: NumberedDocument): Promise<Numbers>
  /** `next`: first free number. */
  appended(tx: WriteTx, next: number, document: NumberedDocument): Promise<void>
  wrote?(document: IndexDocument, chunks: number): void
  /** Runs after all items. Undefined requests one full rewrite, because chunks are missing. */
  settle(tx: WriteTx, totals: Totals, isLastTry: boolean): Promise<Visited | readonly Visited[] | undefined>
}

export interface ItemPage {
  readonly after: number
  readonly limit: number
  /** Include items with a complete document. */
  readonly all: boolean
}

export interface Item {
  readonly id: string
  readonly kind: DocumentKind
  readonly sequence: number
  /** Null without a document. An empty hash marks an unfinished one. */
  readonly file: number | null
  readonly path: string | null
  readonly hash: string | null
  readonly identity: string | null
}

export interface NumberedDocument extends Pick<IndexDocument, 'path'> {
  /** No chunks yet. */
  readonly isNew: boolean
}

/** Ascending at the end; descending below zero if the order is settled later. */
export interface Numbers {
  readonly first: number
  readonly step: 1 | -1
}

export interface VisitOptions extends BuildOptions {
  readonly identity: string
  /** Identities that need no rebuild. */
  readonly accepts: readonly string[]
  /** Extract topics and flags. */
  readonly analyze: boolean
  /** Per group. */
  readonly maxChunks: number
  readonly clock: Clock
  /** Check documents that exist, too. */
  readonly verify: boolean
  /** Rewrite everything. */
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
  /** Removed because the group is gone. */
  readonly removed: number
  /** Chunks beyond the cap. */
  readonly leftOut: number
  readonly errors: readonly string[]
  /** Native ids of messages truncated in this visit. */
  readonly shortened: readonly string[]
}
