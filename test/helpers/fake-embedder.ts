/** An embedder that needs no model: each word points somewhere by its hash, and a text is the sum of its words. Deterministic. */
import { sha256 } from '../../src/core/hash.ts'
import { words } from '../../src/core/text.ts'
import type { Embedder, EmbedOptions, TokenEmbedder } from '../../src/embed/embedder.ts'
import { stateSigns } from '../../src/embed/minilm/state-signs.ts'
import { normalized } from '../../src/embed/windows.ts'

export interface FakeEmbedder extends Embedder {
  /** The texts of each call so far. */
  readonly calls: (readonly string[])[]
  readonly closed: () => boolean
}

export interface FakeOptions {
  readonly model?: string
  readonly dimensions?: number
  /** Called before each batch; what it throws is what `embed` throws. */
  readonly before?: (texts: readonly string[], options: EmbedOptions) => void | Promise<void>
  /** It says something of single tokens: each word is one, with the vector of that word as its state. */
  readonly tokens?: boolean
}

export function fakeEmbedder({ model = 'fake-words', dimensions = 32, before, tokens = false }: FakeOptions = {}): FakeEmbedder {
  const calls: (readonly string[])[] = []
  let closed = false
  const embed = async (texts: readonly string[], options: EmbedOptions = {}) => {
    await before?.(texts, options)
    calls.push([...texts])
    return texts.map((text) => ({ vector: fakeVector(text, { model, dimensions }), states: fakeStates(text, { model, dimensions }) }))
  }
  const said: TokenEmbedder = {
    signs: async (texts, options) =>
      (await embed(texts, options)).map(({ vector, states }, i) => ({
        vector,
        bits: stateSigns(states, { pieces: words(texts[i] ?? ''), dimensions }),
      })),
    states: async (texts, options) =>
      (await embed(texts, options)).map(({ vector, states }, i) => ({ vector, states, pieces: words(texts[i] ?? '') })),
  }
  return {
    name: 'fake',
    model,
    dimensions,
    maxTokens: 1_000_000,
    engine: 'hashes',
    calls,
    closed: () => closed,
    embed: async (texts, options) => (await embed(texts, options)).map(({ vector }) => vector),
    ...(tokens ? { tokens: said } : {}),
    async close() {
      closed = true
    },
  }
}

export function fakeStates(text: string, { model = 'fake-words', dimensions = 32 } = {}): Float32Array {
  return Float32Array.from(words(text).flatMap((word) => [...fakeVector(word, { model, dimensions })]))
}

export function fakeVector(text: string, { model = 'fake-words', dimensions = 32 } = {}): Float32Array {
  const sum = new Float64Array(dimensions)
  for (const word of ['\u0000', ...words(text)]) {
    const hash = Buffer.from(sha256(model, '\n', word), 'hex')
    for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] as number) + (hash.readUInt8(d % 32) - 127.5) * (1 + Math.floor(d / 32))
  }
  return normalized(sum)
}
