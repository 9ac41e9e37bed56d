/** An embedder that remembers, in a file outside the repository: a text is embedded once, whatever is measured with it. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export type Embedder = import('../src/embed/embedder.ts').Embedder

const HASH_BYTES = 20
const PROBE = 'A fixed sentence, by which an old file of vectors is known to be of another model.'

export interface CachedEmbedder extends Embedder {
  /** How many texts were not known. */
  readonly embedded: () => number
}

export async function cachedEmbedder(real: Embedder): Promise<CachedEmbedder> {
  const folder = process.env.MNEMONIC_BENCH_CACHE ?? join(homedir(), '.cache', 'mnemonic-bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${real.model.replace(/[^\w.-]/g, '-')}-texts.bin`)
  let known = read(file, real.dimensions)
  const [probe] = await real.embed([PROBE])
  const before = known.get(hashOf(PROBE))
  if (probe === undefined || before === undefined || cosine(probe, before) < 0.9999) {
    rmSync(file, { force: true })
    known = new Map()
    if (probe) store(file, [[hashOf(PROBE), probe]])
  }
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
