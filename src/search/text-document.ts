/** A document as it is read, and what it is read from. */
import type { Trust } from '../core/trust.ts'
import type { DocumentMessage } from '../index/document.ts'
import type { EpisodeText } from '../index/document-of-episode.ts'
import type { Indexer } from '../index/indexer.ts'
import type { Store } from '../store/store.ts'

export interface DocumentSource {
  readonly store: Store
  readonly buildDocument: Indexer['buildDocument']
  /** The document of an episode as it is indexed. */
  readonly buildEpisode: (id: string) => Promise<EpisodeText | undefined>
  /** Opens a file of published history, MEMORY.md or LEDGER.md, by its path below the workspace root. */
  readonly openPublished: (path: string, agentId: string) => Promise<PublishedText | undefined>
  /** Whose documents; `all` for everyone's. */
  readonly agentId: string
}

export interface PublishedText extends Pick<TextDocument, 'path' | 'kind' | 'sessionId' | 'timestamp' | 'text'> {}

export interface TextDocument {
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  readonly kind: string
  readonly sessionId: string
  readonly turnId: string
  /** Of an episode or a conversation. */
  readonly threadId?: string
  readonly channel?: string
  readonly title: string | null
  readonly timestamp: number
  readonly trust: Trust
  readonly speakers: readonly string[]
  readonly text: string
  /** Of a turn: what its text is made of. */
  readonly messages: readonly DocumentMessage[]
}
