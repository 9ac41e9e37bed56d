import { availableParallelism } from 'node:os'
import { given } from '../../core/given.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import type { Embedder, EmbedOptions, SignedText, StatedText, TokenEmbedder } from '../embedder.ts'
import { embedWorker } from './embed-worker.ts'
import { fasterAdvice } from './faster.ts'
import type { StartedWorker } from './started-worker.ts'

export interface MinilmOptions {
  readonly modelsFolder: string
  readonly threads?: number
  /** Aborted before the process exits: no native code may start afterwards. */
  readonly abandoned?: AbortSignal
  readonly started?: StartedWorker
}

/** More workers cost memory for hardly any speed. */
const MOST_WORKERS = 4

export async function minilm({ modelsFolder, threads, abandoned, started }: MinilmOptions): Promise<Embedder> {
  const workers = threads ?? Math.min(availableParallelism(), MOST_WORKERS)
  const worker = await embedWorker({ modelsFolder, threads: workers, ...given({ abandoned, started }) })
  const { name, model, dimensions, maxTokens, fallback } = worker
  const engine = worker.engine === 'onnxruntime' ? `onnxruntime-node, ${workers} workers` : `WASM (slower: ${fallback ?? 'as asked'})`
  const call = ({ signal, purpose }: EmbedOptions = {}) => {
    throwIfStopped(signal, 'embedding')
    return { urgent: purpose === 'query', ...given({ signal }) }
  }
  const tokens: TokenEmbedder = {
    signs: async (texts, options) => worker.run(texts, { ...call(options), tokens: 'signs' }) as Promise<SignedText[]>,
    states: async (texts, options) => worker.run(texts, { ...call(options), tokens: 'states' }) as Promise<StatedText[]>,
  }
  return {
    name,
    model,
    dimensions,
    maxTokens,
    engine,
    ...given({ advice: worker.engine === 'onnxruntime' ? undefined : fasterAdvice() }),
    embed: async (texts, options) => worker.embed(texts, call(options)),
    ...given({ tokens: worker.givesStates ? tokens : undefined }),
    close: () => worker.close(),
  }
}
