/** An embedder that remembers, in a file outside the repository: a text is embedded once, whatever is measured with it. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export type Embedder = import('../src/embed/embedder.ts').Embedder

const HASH_BYTES = 20
/** Sums of floats differ in the last digits. */
const SAME = 0.9999
const PROBE = 'A fixed sentence, by which an old file of vectors is known to be of another model.'

export interface CachedEmbedder extends Embedder {
  /** How many texts were not known. */
  readonly embedded: () => number
}

export async function cachedEmbedder(real: Embedder): Promise<CachedEmbedder> {
  const { file, known } = await openCache(real)
  let embedded = 0
  return {
    ...real,
    embedded: () => embedded,
    async embed(texts, options) {
      const missing = [...new Set(texts)].filter((text) => !known.has(hashOf(text)))
      const made = missing.length === 0 ? [] : await real.embed(missing, options)
      const pairs = missing.map((text, i) => [hashOf(text), made[i] as Float32Array] as const)
      for (const [hash, vector] of pairs) known.set(hash, vector)
      store(file, pairs)
      embedded += pairs.length
      return texts.map((text) => known.get(hashOf(text)) as Float32Array)
    },
  }
}

/** Another engine or another graph of the same model makes other vectors: each has a file of its own, known by one sentence. */
async function openCache(real: Embedder): Promise<{ file: string; known: Map<string, Float32Array> }> {
  const folder = process.env.MNEMONIC_BENCH_CACHE ?? join(homedir(), '.cache', 'mnemonic-bench')
  mkdirSync(folder, { recursive: true })
  const [probe] = await real.embed([PROBE])
  if (probe === undefined) throw new Error(`${real.name} gave no vector`)
  for (let n = 1; ; n++) {
    const file = join(folder, `${real.model.replace(/[^\w.-]/g, '-')}-texts-${n}.bin`)
    const known = read(file, real.dimensions)
    const before = known.get(hashOf(PROBE))
    if (before === undefined) store(file, [[hashOf(PROBE), probe]])
    if (before === undefined || cosine(probe, before) > SAME) return { file, known }
  }
}

function hashOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES)
}

function read(file: string, dimensions: number): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>()
  if (!existsSync(file)) return known
  const bytes = readFileSync(file)
  const size = HASH_BYTES + 4 * dimensions
  for (let at = 0; at + size <= bytes.length; at += size) {
    const start = bytes.byteOffset + at + HASH_BYTES
    known.set(bytes.toString('hex', at, at + HASH_BYTES), new Float32Array(bytes.buffer.slice(start, start + 4 * dimensions)))
  }
  return known
}

function store(file: string, pairs: readonly (readonly [hash: string, vector: Float32Array])[]): void {
  const parts = pairs.flatMap(([hash, vector]) => [
    Buffer.from(hash, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ])
  if (parts.length > 0) appendFileSync(file, Buffer.concat(parts))
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}
