/** Gives chunks vectors without a model. */
import { sha256 } from '../../src/core/hash.ts'
import type { Store } from '../../src/store/store.ts'
import type { EmbeddingIdentity } from '../../src/store/vectors.ts'

export const SEED_MODEL: EmbeddingIdentity = { model: 'seeded', dimensions: 100 }

export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Clusters, like texts on a few subjects. */
export function seedVectors(count: number, { dimensions = SEED_MODEL.dimensions, seed = 1, centres = 8 } = {}): Float32Array[] {
  const rand = seededRandom(seed)
  const any = () => Float32Array.from({ length: dimensions }, () => rand() - 0.5)
  const middles = Array.from({ length: centres }, any)
  return Array.from({ length: count }, (_, i) => {
    const noise = any()
    return (middles[i % centres] as Float32Array).map((value, d) => value + (noise[d] as number))
  })
}

/** As the embedding job; makes the model active. */
export async function assignVectors(
  store: Store,
  pairs: readonly (readonly [chunkId: number, vector: Float32Array])[],
  model: EmbeddingIdentity = SEED_MODEL,
): Promise<void> {
  await store.write(async ({ vectors }) => {
    await vectors.useConfig(model)
    for (const [chunkId, vector] of pairs) {
      const contentHash = sha256(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))
      const number = await vectors.add({ contentHash, ownerId: `owner-${chunkId}`, agentId: 'main', vector })
      await vectors.assign(chunkId, number)
    }
  })
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let [both, first, second] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number]
    both += x * y
    first += x * x
    second += y * y
  }
  return both / Math.sqrt(first * second)
}
