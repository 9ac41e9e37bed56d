/** The one seam to the embedded model. Its engine is loaded here, when it is first needed, and nowhere else. */
import { MnemonicError } from '../core/error.ts'
import { type Embedder, embeddingFailed } from './embedder.ts'
import type { MinilmOptions } from './minilm/minilm.ts'

/** Throws EMBEDDING_FAILED where no engine can be loaded. */
export async function loadMinilm(options: MinilmOptions): Promise<Embedder> {
  try {
    const { minilm } = await import('./minilm/minilm.ts')
    return await minilm(options)
  } catch (error) {
    if (error instanceof MnemonicError) throw error
    throw embeddingFailed('the embedded model cannot be loaded', { fault: 'provider' }, { hint: 'Run mnemonic doctor.', cause: error })
  }
}
