/** What a sync or an index run is made of, over one open store. Loaded when one of them runs: a search needs none of it. */

import { ignoreMatcher } from '../config/ignore.ts'
import type { Owner } from '../config/owner.ts'
import type { Paths } from '../config/paths.ts'
import { indexer } from '../index/indexer.ts'
import { workspaceIndexer } from '../index/workspace-indexer.ts'
import { documentRoots } from '../ingest/documents/document-roots.ts'
import type { Stages } from './pipeline.ts'

export interface StagesOptions extends Pick<Stages, 'store' | 'config' | 'clock' | 'adapters' | 'embedding' | 'qmdDir'> {
  readonly paths: Paths
  readonly owner: Owner
}

export function stages({ paths, owner, ...given }: StagesOptions): Stages {
  const { store, config, clock, qmdDir } = given
  const { max_chunk_tokens: maxChunkTokens, max_chunks_per_session: maxChunksPerSession } = config.index
  const workspace = workspaceIndexer({
    ...{ store, clock, owner, maxChunkTokens },
    roots: documentRoots(paths.workspace, config.memory.paths),
    exclude: [paths.home, qmdDir],
    ignore: ignoreMatcher(config.ignore.projects),
  })
  return {
    ...given,
    indexer: indexer({ store, clock, owner, maxChunkTokens, maxChunksPerSession }),
    workspace,
  }
}
