/** The question as a vector, or why there is none. A search never fails because of it: it goes on with words alone, and says so. */
import { plural } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import type { Intent } from './intent.ts'

export interface QueryEmbedder {
  /** The vector of a question; undefined when there can be none now. */
  readonly embedQuery?: ((text: string) => Promise<Float32Array | undefined>) | undefined
  /** The model that makes it. Vectors of another model are left alone. */
  readonly embedModel?: string | undefined
}

export interface QueryVector {
  readonly vector: Float32Array | undefined
  /** What the answer says: `hybrid`, `lexical: no vectors yet` … */
  readonly realized: string
  /** Whose vectors answered. */
  readonly model?: string
}

/** Why vectors find nothing themselves, though they help to rank what words find; undefined where they do find. */
export function wordsOnly({ speaker, phrase }: { readonly speaker: boolean; readonly phrase: boolean }): string | undefined {
  if (speaker) return 'lexical: a speaker filter searches words, vectors only rank'
  return phrase ? 'lexical: a quoted phrase searches words, vectors only rank' : undefined
}

export async function queryVector(store: Store, intent: Intent, { embedQuery, embedModel }: QueryEmbedder): Promise<QueryVector> {
  const chunks = await store.lexical.size()
  if (chunks === 0) return words('lexical: nothing indexed yet')
  if (embedQuery === undefined) return words('lexical')
  const active = await store.vectors.active()
  if (active === undefined) return words('lexical: no vectors yet')
  if (embedModel !== undefined && embedModel !== active.model) {
    return words(`lexical: the vectors are of ${active.model}, questions would be of ${embedModel}`)
  }
  if (intent.vectorWeight === 0) return words('lexical: the query is made of exact names')
  const vector = await embedQuery(intent.meaning).catch(() => undefined) // `health` and `doctor` show what is wrong with it
  if (vector === undefined) return words('lexical: embedder unavailable')
  if (vector.length !== active.dimensions) return words(`lexical: the vectors are of ${active.model}, with other dimensions`)
  const { embedded, waiting, failed } = await store.vectors.coverage()
  if (embedded === 0) return words('lexical: no vectors yet')
  const all = embedded + waiting + failed
  const realized = embedded < all ? `hybrid: ${embedded.toLocaleString('en-US')} of ${plural(all, 'chunk')} embedded` : 'hybrid'
  return { vector, realized, model: active.model }
}

function words(realized: string): QueryVector {
  return { vector: undefined, realized }
}
