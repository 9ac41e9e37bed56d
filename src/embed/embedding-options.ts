/** The options of embedding: of the configuration, of opening an embedder, of one run. */
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import type { OnProgress } from '../core/progress.ts'
import type { Store } from '../store/store.ts'
import type { StartedWorker } from './minilm/started-worker.ts'
import type { Patience } from './remote/try-again.ts'

export type EmbeddingConfig = Config['embedding']

export interface OpenEmbedderOptions {
  readonly paths: Pick<Paths, 'models' | 'config'>
  /** Holds what was spent, and what was embedded before. */
  readonly store: (signal?: AbortSignal) => Promise<Store>
  readonly clock: Clock
  /** Where the variable with the key is looked up: that of its name only. */
  readonly env?: NodeJS.ProcessEnv
  /** Threads of the embedded model; its own choice when absent. */
  readonly threads?: number
  /** Fires where nobody waits for the embedded model any more. */
  readonly abandoned?: AbortSignal
  /** A worker that loads the embedded model already. */
  readonly started?: StartedWorker
  readonly patience?: Partial<Patience>
}

export interface EmbedRunOptions {
  /** One session: id, label, or a unique prefix. */
  readonly session?: string
  /** Try chunks again that failed before. */
  readonly all?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** The provider and model of a configuration, known before anything is loaded. */
export function modelName({ provider, model }: EmbeddingConfig): { name: string; model: string } {
  return { name: provider, model: provider === 'minilm' ? 'all-MiniLM-L6-v2' : (model ?? '') }
}
