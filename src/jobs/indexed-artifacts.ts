/** Indexes after each call that writes artifacts. */
import type { Artifacts } from '../artifacts/artifacts.ts'
import type { Owner } from '../config/owner.ts'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { indexer } from '../index/indexer.ts'
import { runJob } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import type { JobHooks } from './options.ts'

export interface IndexedBy {
  readonly store: Store
  readonly clock: Clock
  readonly config: Config
  readonly owner: Owner
  readonly hooks: JobHooks
}

export function indexedArtifacts(artifacts: Artifacts, by: IndexedBy): Artifacts {
  const then =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const result = await call(...args)
      await indexPublished(by)
      return result
    }
  return {
    ...artifacts,
    publish: then(artifacts.publish),
    reindex: then(artifacts.reindex),
    recover: then(artifacts.recover),
    restore: then(artifacts.restore),
    accept: then(artifacts.accept),
    archive: then(artifacts.archive),
  }
}

/** A running job or the next sync indexes them. */
async function indexPublished({ store, clock, config, owner, hooks }: IndexedBy): Promise<void> {
  const { max_chunk_tokens: maxChunkTokens, max_chunks_per_session: maxChunksPerSession, tools } = config.index
  const index = indexer({ store, clock, owner, maxChunkTokens, maxChunksPerSession, tools })
  try {
    await runJob(store, { job: 'index', clock, waitMs: 0, ...hooks }, (lease) => index.tailPublished({ lease, ...given(hooks) }))
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'JOB_RUNNING') throw error
  }
}
