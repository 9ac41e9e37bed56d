/** What a vector depends on beside its text. When any part of it changes, all vectors are computed again, beside the old ones. */
import type { ActiveVectors, EmbeddingIdentity } from '../store/vectors.ts'
import type { Embedder } from './embedder.ts'

/** How windows of a long text become one vector, and what is set before a text. */
const POOLING = 'mean-1'
const TOKENIZER = 'minilm-wordpiece'
/** The lines before a chunk's text. */
const CONTEXT = 'context-1'

export type Model = Pick<Embedder, 'name' | 'model'> & { readonly dimensions?: number | undefined }

export function identityOf({ name, model, dimensions }: Embedder): EmbeddingIdentity & { readonly name: string } {
  return { name: `${name}/${model}/${dimensions}`, model, dimensions, pooling: POOLING, tokenizer: TOKENIZER, context: CONTEXT }
}

/** True where vectors are being made by that very model already, as far as its name shows. */
export function isInUse(active: ActiveVectors | undefined, { model, dimensions }: Model): boolean {
  const current = active?.next ?? active
  if (current === undefined || current.model !== model) return false
  if (dimensions !== undefined && current.dimensions !== dimensions) return false
  return current.pooling === POOLING && current.tokenizer === TOKENIZER && current.context === CONTEXT
}
