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
  readonly store: (signal?: AbortSignal) => Promise<Store>
  readonly clock: Clock
  readonly env?: NodeJS.ProcessEnv
  readonly threads?: number
  /** Aborts when no caller needs the built-in model any more. */
  readonly abandoned?: AbortSignal
  readonly started?: StartedWorker
  readonly patience?: Partial<Patience>
}

export interface EmbedRunOptions {
  /** Id, label or unique prefix. */
  readonly session?: string
  readonly all?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export function modelName({ provider, model }: EmbeddingConfig): { name: string; model: string } {
  return { name: provider, model: provider === 'minilm' ? 'all-MiniLM-L6-v2' : (model ?? '') }
}
