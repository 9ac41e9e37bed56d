/** A search never loads these. */

import { ignoreMatcher } from '../config/ignore.ts'
import type { Owner } from '../config/owner.ts'
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import type { Embedding } from '../embed/embedding.ts'
import { type Indexer, indexer } from '../index/indexer.ts'
import type { Adapter } from '../ingest/adapter.ts'
import { documentRoots } from '../ingest/documents/document-roots.ts'
import { documents } from '../ingest/documents/documents.ts'
import { aixEvents } from '../ingest/events/aix-events.ts'
import { calendarSeries } from '../ingest/events/calendar-series.ts'
import { listWritten } from '../store/copies.ts'
import type { Store } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'

export interface Stages {
  readonly store: Store
  readonly config: Config
  /** A file belongs to the first that recognises it. */
  readonly adapters: readonly Adapter[]
  readonly indexer: Indexer
  readonly embedding: Embedding
  readonly clock: Clock
  readonly owner: Owner
  readonly qmdDir: string
  readonly paths: Paths
  /** Least bytes for the worker thread. For tests. */
  readonly besideFrom?: number | undefined
  readonly configFile: string
}

export interface StagesOptions
  extends Pick<
    Stages,
    'store' | 'config' | 'clock' | 'adapters' | 'embedding' | 'owner' | 'qmdDir' | 'configFile' | 'paths' | 'besideFrom'
  > {}

export function stages(given: StagesOptions): Stages {
  const { store, config, clock, owner, paths, qmdDir } = given
  const { max_chunk_tokens: maxChunkTokens, max_chunks_per_session: maxChunksPerSession, tools } = config.index
  const written = documents({
    roots: documentRoots(paths.workspace, config.memory.paths),
    exclude: [paths.home, qmdDir],
    copies: () => listWritten(store),
    tombstones: () => tombstonesOf({ db: store.read }),
    ignore: ignoreMatcher(config.ignore.projects),
  })
  return {
    ...given,
    adapters: [
      ...given.adapters,
      written,
      aixEvents(store),
      calendarSeries({ store, clock, owner: async () => (await import('../ingest/events/calendar-owner.ts')).calendarOwner(config).owner }),
    ],
    indexer: indexer({ store, clock, owner, maxChunkTokens, maxChunksPerSession, tools }),
  }
}

export function jobAgent({ agent }: Config): string {
  return agent === 'all' ? 'main' : agent
}
