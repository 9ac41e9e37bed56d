/** The port of the index: what can be indexed. A new kind of document joins by one implementation, and its line in `indexables.ts`. */
import type { Kysely } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { MetaKey } from '../store/meta.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Owner } from './chunk-row.ts'
import type { DocumentKind, IndexDocument } from './document.ts'

export interface Indexable {
  readonly kinds: readonly DocumentKind[]
  /** Says what changed. Kinds that share one order, as turns and compactions do, have the same feed. */
  readonly feed: Feed
  /** Reads what the documents of several items are made of; gives the function that builds the document of one id. */
  builder(db: Kysely<Tables>, items: readonly Item[], options: BuildOptions): Promise<(id: string) => Promise<IndexDocument>>
}

export interface BuildOptions {
  readonly maxTokens: number
  readonly owner: Owner
}

/** What changed since a cursor, in groups: a group is what is numbered together, a session or one document. */
export interface Feed {
  /** What has a cursor of its own: the sessions of each agent, or of the one named; all documents. */
  scopes(db: Kysely<Tables>, agentId?: string): Promise<string[]>
  /** The key of a scope's cursor in `meta`. */
  cursorKey(scope: string): MetaKey
  /** The newest position that a cursor can have; 0 when there is nothing. */
  newest(db: Kysely<Tables>): Promise<number>
  /** Groups that changed, each once. */
  changed(db: Kysely<Tables>, scope: string, since: Since): Waiting
  /** Groups that have no document in the index though they did not change after a position: it was dropped, or a text in it was forgotten. */
  missing?(db: Kysely<Tables>, upTo: number): Waiting
  /** Removes documents of groups that are there no more, where their removal did not; gives how many. Runs when all groups were looked at. */
  prune?(tx: WriteTx): Promise<number>
  /** Undefined where there is no such group. */
  open(db: Kysely<Tables>, id: string, options: VisitOptions): Promise<Group | undefined>
  /** Where groups are small and many: some of them as one. Those that are not there are left out. */
  readonly openSome?: ((db: Kysely<Tables>, ids: readonly string[], options: VisitOptions) => Promise<Group | undefined>) | undefined
}

export interface Since {
  /** A cursor; all groups without one. */
  readonly after: number | undefined
  /** What changed behind this is left to the next run. */
  readonly upTo: number
}

/** Groups that are to be visited. There may be a million of them, so they come page by page: each is read when those before it were visited. */
export interface Waiting {
  count(): Promise<number>
  pages(limit: number): AsyncIterable<Page>
}

export interface Page {
  readonly ids: readonly string[]
  /** Where the cursor may stand when these were visited; absent where it may move only after all. */
  readonly reached?: number
}

export interface Group {
  /** As warnings name it: `session …`. */
  readonly name: string
  /** The line of its title in the context of its chunks; a section of a document may have another. */
  readonly title: string
  /** It must not be in the index any more. */
  readonly isGone: boolean
  /** Removes its documents; gives how many there were. */
  remove(tx: WriteTx): Promise<number>
  /** Runs before its documents are visited; `again` removes them, so that all are written. Returns the sequence of the last item with a document, -1 without any. */
  begin(tx: WriteTx, again: boolean): Promise<number>
  /** The next items in order, after a sequence. */
  items(db: Kysely<Tables>, page: ItemPage): Promise<readonly Item[]>
  /** Each document has numbers of its own; else all of the group are numbered together. */
  readonly ownNumbers?: boolean
  /** The numbers of new chunks, of the document that they begin with. `inside`: documents of later items exist already. */
  numbers(tx: WriteTx, inside: boolean, document: NumberedDocument): Promise<Numbers>
  /** Runs after chunks were appended up to, not including, this number. */
  appended(tx: WriteTx, next: number, document: NumberedDocument): Promise<void>
  /** Runs for each document that was written. */
  wrote?(document: IndexDocument, chunks: number): void
  /** Runs when all items were looked at. Undefined when chunks are missing and all must be written again, which is tried once. */
  settle(tx: WriteTx, totals: Totals, isLastTry: boolean): Promise<Visited | readonly Visited[] | undefined>
}

export interface ItemPage {
  readonly after: number
  readonly limit: number
  /** Also items that have a whole document. */
  readonly all: boolean
}

/** Something that has, or is to get, a document. */
export interface Item {
  readonly id: string
  readonly kind: DocumentKind
  readonly sequence: number
  /** Its document in the index, null where it has none. An empty hash is a document whose writing was broken off. */
  readonly file: number | null
  readonly path: string | null
  readonly hash: string | null
  readonly identity: string | null
}

export interface NumberedDocument extends Pick<IndexDocument, 'path'> {
  /** It has no chunks yet. */
  readonly isNew: boolean
}

/** Counting up at the end of a group; down from zero where the order is settled later. */
export interface Numbers {
  readonly first: number
  readonly step: 1 | -1
}

export interface VisitOptions extends BuildOptions {
  readonly identity: string
  /** Documents of these need not be made again. */
  readonly accepts: readonly string[]
  /** Look for topics and flags. */
  readonly analyze: boolean
  /** Of one group. */
  readonly maxChunks: number
  readonly clock: Clock
  /** Look at every document, not only at what has none. */
  readonly verify: boolean
  /** Write everything again. */
  readonly force: boolean
}

/** What a visit wrote so far. */
export interface Totals {
  documents: number
  chunks: number
  readonly errors: Set<string>
  readonly shortened: Set<string>
}

export interface Visited {
  readonly name: string
  /** Of a session. */
  readonly sessionId?: string
  readonly documents: number
  readonly chunks: number
  readonly unchanged: number
  /** Documents that were removed because the group is gone. */
  readonly removed: number
  /** Chunks past the cap, left out. */
  readonly leftOut: number
  readonly errors: readonly string[]
  /** Native ids of messages, written in this visit, of which only a part is indexed. */
  readonly shortened: readonly string[]
}
