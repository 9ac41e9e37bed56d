/** Changing any part makes all vectors be recomputed beside the old ones. */
import type { ActiveVectors, EmbeddingIdentity } from '../store/vectors.ts'
import type { Embedder } from './embedder.ts'

/** Version of the pooling of windows and of text prefixes. */
const POOLING = 'mean-1'
const TOKENIZER = 'minilm-wordpiece'
const CONTEXT = 'context-1'

export type Model = Pick<Embedder, 'name' | 'model'> & { readonly dimensions?: number | undefined }

export function identityOf({ name, model, dimensions }: Embedder): EmbeddingIdentity & { readonly name: string } {
  return { name: `${name}/${model}/${dimensions}`, model, dimensions, pooling: POOLING, tokenizer: TOKENIZER, context: CONTEXT }
}

/** Compares by name only. */
export function isInUse(active: ActiveVectors | undefined, { model, dimensions }: Model): boolean {
  const current = active?.next ?? active
  if (current === undefined || current.model !== model) return false
  if (dimensions !== undefined && current.dimensions !== dimensions) return false
  return current.pooling === POOLING && current.tokenizer === TOKENIZER && current.context === CONTEXT
}
