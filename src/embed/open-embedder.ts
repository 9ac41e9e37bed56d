/** The embedder that the configuration names. Whatever is in the environment, no other one is opened, and nothing is sent to choose it. */
import { given } from '../core/given.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingConfig, OpenEmbedderOptions } from './embedding-options.ts'
import { loadMinilm } from './load-minilm.ts'

export async function openEmbedder(config: EmbeddingConfig, options: OpenEmbedderOptions): Promise<Embedder> {
  const { provider } = config
  if (provider === 'minilm') {
    return loadMinilm({ modelsFolder: options.paths.models, ...given({ threads: options.threads }) })
  }
  const { openRemote } = await import('./remote/open-remote.ts')
  return openRemote(provider, config, options)
}
