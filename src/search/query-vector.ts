/** Vectors of questions. If there are none, the search continues with words and says why. */
import { given } from '../core/given.ts'
import { grouped, plural } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import type { ActiveVectors } from '../store/vectors.ts'
import type { Intent } from './intent.ts'
import type { StatedQuestion } from './token-order.ts'

export interface QueryEmbedder {
  readonly embedQueries?: ((texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>) | undefined
  readonly embedQuestion?: ((text: string) => Promise<EmbeddedQuestion | undefined>) | undefined
  /** Vectors of another model are ignored. */
  readonly embedModel?: string | undefined
  /** Whether there is time to compare so many vectors. If not, they only rank. */
  readonly comparesAll?: ((vectors: number) => boolean) | undefined
}

export interface EmbeddedQuestion {
  readonly vector: Float32Array
  readonly tokens?: StatedQuestion
}

export interface QueryVector {
  readonly vector: Float32Array | undefined
  readonly tokens?: StatedQuestion
  /** Shown in the answer: `hybrid`, `lexical: no vectors yet` … */
  readonly realized: string
  readonly model?: string
  readonly ranksOnly?: true
}

/** Why vectors only rank; undefined if they also find. */
export function wordsOnly({ speaker, phrase, exact }: Record<'speaker' | 'phrase' | 'exact', boolean>): string | undefined {
  if (exact) return 'lexical: an exact search finds words, vectors only rank'
  if (speaker) return 'lexical: a speaker filter searches words, vectors only rank'
  return phrase ? 'lexical: a quoted phrase searches words, vectors only rank' : undefined
}

/** Embeds all phrasings in one call, each text once. */
export async function queryVectors(store: Store, intents: readonly Intent[], options: QueryEmbedder): Promise<QueryVector[]> {
  const all = (realized: string) => intents.map(() => words(realized))
  const { embedQueries, embedQuestion, embedModel, comparesAll = () => true } = options
  if ((await store.lexical.size()) === 0) return all('lexical: nothing indexed yet')
  if (embedQueries === undefined) return all('lexical')
  const active = await store.vectors.active()
  if (active === undefined) return all('lexical: no vectors yet')
  if (embedModel !== undefined && embedModel !== active.model) {
    return all(await otherModel(store, active, embedModel))
  }
  const meanings = [...new Set(intents.filter(({ vectorWeight }) => vectorWeight > 0).map(({ meaning }) => meaning))]
  const alone = intents.length === 1 && embedQuestion !== undefined && (await store.vectors.tokenBits.any())
  const embed = async () => {
    if (meanings.length === 0) return []
    if (!alone) return (await embedQueries(meanings))?.map((vector): EmbeddedQuestion => ({ vector }))
    const question = await embedQuestion(meanings[0] as string)
    return question && [question]
  }
  const vectors = await embed().catch(() => undefined)
  const { embedded, waiting, failed } = await store.vectors.coverage()
  const whole = embedded + waiting + failed
  const realized = embedded < whole ? `hybrid: ${grouped(embedded)} of ${plural(whole, 'chunk')} embedded` : 'hybrid'
  const ranksOnly = vectors !== undefined && !comparesAll(embedded)
  return intents.map(({ vectorWeight, meaning }) => {
    if (vectorWeight === 0) return words('lexical: the query is made of exact names')
    const { vector, tokens } = vectors?.[meanings.indexOf(meaning)] ?? {}
    if (vector === undefined) return words('lexical: embedder unavailable')
    if (vector.length !== active.dimensions) return words(`lexical: the vectors are of ${active.model}, with other dimensions`)
    if (embedded === 0) return words('lexical: no vectors yet')
    if (ranksOnly) return { vector, realized: RANKS_ONLY, model: active.model, ranksOnly }
    return { vector, realized, model: active.model, ...given({ tokens }) }
  })
}

async function otherModel(store: Store, active: ActiveVectors, asked: string): Promise<string> {
  const next = active.next?.model === asked ? (await store.vectors.coverage()).next : undefined
  if (next === undefined) return `lexical: the vectors are of ${active.model}, questions would be of ${asked}; mnemonic embed makes those`
  const { embedded, waiting, failed } = next
  const whole = embedded + waiting + failed
  if (waiting > 0) return `lexical: ${grouped(embedded)} of ${plural(whole, 'chunk')} embedded by ${asked}; mnemonic embed makes the rest`
  return `lexical: ${asked} could not embed ${grouped(failed)} of ${plural(whole, 'chunk')}; mnemonic embed --all tries again`
}

const RANKS_ONLY = 'hybrid: among so many chunks vectors only rank what words find'

function words(realized: string): QueryVector {
  return { vector: undefined, realized }
}
