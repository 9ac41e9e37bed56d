/** Only the configured embedder, whatever the environment holds. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { type Embedder, embeddingFailed } from './embedder.ts'
import type { EmbeddingConfig, OpenEmbedderOptions } from './embedding-options.ts'
import type { MinilmOptions } from './minilm/minilm.ts'

export async function openEmbedder(config: EmbeddingConfig, options: OpenEmbedderOptions): Promise<Embedder> {
  const { provider } = config
  if (provider === 'minilm') {
    return loadMinilm({
      modelsFolder: options.paths.models,
      ...given({ threads: options.threads, abandoned: options.abandoned, started: options.started }),
    })
  }
  const { openRemote } = await import('./remote/open-remote.ts')
  return openRemote(provider, config, options)
}

/** Throws EMBEDDING_FAILED if no engine loads. */
export async function loadMinilm(options: MinilmOptions): Promise<Embedder> {
  try {
    const { minilm } = await import('./minilm/minilm.ts')
    return await minilm(options)
  } catch (error) {
    if (error instanceof MnemonicError) throw error
    throw embeddingFailed('the embedded model cannot be loaded', { fault: 'provider' }, { hint: 'Run mnemonic doctor.', cause: error })
  }
}
