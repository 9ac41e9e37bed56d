import type { Trust } from '../core/trust.ts'
import type { DocumentMessage } from '../index/document.ts'
import type { EpisodeText } from '../index/document-of-episode.ts'
import type { Indexer } from '../index/indexer.ts'
import type { Store } from '../store/store.ts'

export interface DocumentSource {
  readonly store: Store
  readonly buildDocument: Indexer['buildDocument']
  readonly buildEpisode: (id: string) => Promise<EpisodeText | undefined>
  /** Opens published history, MEMORY.md or LEDGER.md by its path below the workspace root. */
  readonly openPublished: (path: string, agentId: string) => Promise<PublishedText | undefined>
  /** Persona; `all` for everyone. */
  readonly agentId: string
}

export interface PublishedText extends Pick<TextDocument, 'path' | 'kind' | 'sessionId' | 'timestamp' | 'text'> {}

export interface TextDocument {
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  readonly kind: string
  readonly sessionId: string
  readonly turnId: string
  readonly threadId?: string
  readonly channel?: string
  readonly title: string | null
  readonly timestamp: number
  readonly trust: Trust
  readonly speakers: readonly string[]
  readonly text: string
  readonly messages: readonly DocumentMessage[]
}
