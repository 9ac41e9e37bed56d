/** An embedder with a file cache outside the repository. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export type Embedder = import('../src/embed/embedder.ts').Embedder

const HASH_BYTES = 20
/** Cosine: float sums differ in the last digits. */
const SAME = 0.9999
const PROBE = 'A fixed sentence, by which an old file of vectors is known to be of another model.'

export interface CachedEmbedder extends Embedder {
  /** Cache misses. */
  readonly embedded: () => number
}

export async function cachedEmbedder(real: Embedder): Promise<CachedEmbedder> {
  const { file, known } = await openCache(real)
  let embedded = 0
  const { tokens } = real
  return {
    ...real,
    ...(tokens === undefined ? {} : { tokens: { ...tokens, signs: rememberedSigns(tokens, { file, known }) } }),
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

type TokenEmbedder = NonNullable<Embedder['tokens']>
type Cache = Awaited<ReturnType<typeof openCache>>

/** Token bits have a file of their own: hash, length, bits. */
function rememberedSigns(tokens: TokenEmbedder, { file, known }: Cache): TokenEmbedder['signs'] {
  const bitsFile = file.replace(/\.bin$/, '-bits.bin')
  const bits = readBits(bitsFile)
  return async (texts, options) => {
    const missing = [...new Set(texts)].filter((text) => !bits.has(hashOf(text)))
    const made = missing.length === 0 ? [] : await tokens.signs(missing, options)
    const vectors: [string, Float32Array][] = []
    const parts: Buffer[] = []
    for (const [i, { vector, bits: some }] of made.entries()) {
      const hash = hashOf(missing[i] as string)
      bits.set(hash, Buffer.from(some))
      const length = Buffer.alloc(4)
      length.writeUInt32LE(some.length)
      parts.push(Buffer.from(hash, 'hex'), length, Buffer.from(some))
      if (!known.has(hash)) vectors.push([hash, vector])
      known.set(hash, known.get(hash) ?? vector)
    }
    store(file, vectors)
    if (parts.length > 0) appendFileSync(bitsFile, Buffer.concat(parts))
    return texts.map((text) => ({ vector: known.get(hashOf(text)) as Float32Array, bits: bits.get(hashOf(text)) as Uint8Array }))
  }
}

function readBits(file: string): Map<string, Uint8Array> {
  const bits = new Map<string, Uint8Array>()
  if (!existsSync(file)) return bits
  const bytes = readFileSync(file)
  for (let at = 0; at + HASH_BYTES + 4 <= bytes.length; ) {
    const from = at + HASH_BYTES + 4
    const to = from + bytes.readUInt32LE(at + HASH_BYTES)
    if (to > bytes.length) break
    bits.set(bytes.toString('hex', at, at + HASH_BYTES), bytes.subarray(from, to))
    at = to
  }
  return bits
}

/** One file per engine and graph, since vectors differ; one sentence identifies them. */
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
