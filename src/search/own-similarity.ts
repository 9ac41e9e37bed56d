/**
 * Similarity to the words of one speaker: a chunk's vector covers both sides, mostly the longer. Speaker texts are embedded on demand and
 * cached in the process.
 */
import { sha256 } from '../core/hash.ts'
import { ownWords, type SpokenBy } from '../core/own-words.ts'
import type { Store } from '../store/store.ts'

export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>

/** From this share of the text on, the chunk's own vector stands for the speaker. */
const MOSTLY = 0.8
/** Per question, likeliest first: a tenth of a second for usual prompts. */
export const MOST_EMBEDDED = 48
/** Characters: a prompt states its request at the beginning. */
const LONGEST = 800
const MOST_KEPT = 2_000

const kept = new Map<string, Float32Array>()

export interface OwnSimilarity {
  readonly store: Store
  readonly vector: Float32Array
  readonly speaker: SpokenBy
  readonly embed: EmbedTexts
  readonly model: string
}

/** Known cosines, in no order. `ids` start with the likeliest; `similarity` is per chunk. Undefined if embedding fails. */
export async function ownSimilarities(
  ids: readonly number[],
  similarity: ReadonlyMap<number, number>,
  { store, vector, speaker, embed, model }: OwnSimilarity,
): Promise<Map<number, number> | undefined> {
  const rows = new Map((await store.rows.chunks(ids)).map((row) => [row.id, row]))
  const found = new Map<number, number>()
  const texts = new Map<number, string>()
  for (const id of ids) {
    const row = rows.get(id)
    if (row === undefined) continue
    const { user, assistant } = ownWords(row, speaker)
    const own = [user, assistant].filter((text) => text !== '').join('\n\n')
    const whole = similarity.get(id)
    if (own === '') continue
    if (own.length >= MOSTLY * (row.said_user.length + row.said_assistant.length) && whole !== undefined) found.set(id, whole)
    else if (texts.size < MOST_EMBEDDED) texts.set(id, own.slice(0, LONGEST))
  }
  const vectors = await embedded([...texts.values()], { embed, model })
  if (vectors === undefined) return undefined
  for (const [i, id] of [...texts.keys()].entries()) found.set(id, cosine(vector, vectors[i] as Float32Array))
  return found
}

async function embedded(
  texts: readonly string[],
  { embed, model }: { readonly embed: EmbedTexts; readonly model: string },
): Promise<readonly Float32Array[] | undefined> {
  const keys = texts.map((text) => sha256(model, '\n', text))
  const missing = [...new Map(keys.map((key, i) => [key, texts[i] as string])).entries()].filter(([key]) => !kept.has(key))
  const known = new Map(keys.map((key) => [key, kept.get(key)]))
  if (missing.length > 0) {
    const made = await embed(missing.map(([, text]) => text)).catch(() => undefined)
    if (made === undefined || made.length < missing.length) return undefined
    if (kept.size + missing.length > MOST_KEPT) kept.clear()
    for (const [i, [key]] of missing.entries()) {
      kept.set(key, made[i] as Float32Array)
      known.set(key, made[i])
    }
  }
  return keys.map((key) => known.get(key) as Float32Array)
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let [one, other] = [0, 0]
  for (const [d, value] of a.entries()) {
    const beside = b[d] ?? 0
    dot += value * beside
    one += value * value
    other += beside * beside
  }
  return one === 0 || other === 0 ? 0 : dot / Math.sqrt(one * other)
}
