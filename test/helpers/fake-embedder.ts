/** Embedder without a model: hashes words to vectors and adds them. Deterministic. */
import { sha256 } from '../../src/core/hash.ts'
import { words } from '../../src/core/text.ts'
import type { Embedder, EmbedOptions, TokenEmbedder } from '../../src/embed/embedder.ts'
import { stateSigns } from '../../src/embed/minilm/state-signs.ts'
import { normalized } from '../../src/embed/windows.ts'

export interface FakeEmbedder extends Embedder {
  readonly calls: (readonly string[])[]
  readonly closed: () => boolean
}

export interface FakeOptions {
  readonly model?: string
  readonly dimensions?: number
  /** Runs before each batch; its errors become errors of `embed`. */
  readonly before?: (texts: readonly string[], options: EmbedOptions) => void | Promise<void>
  /** Token states: each word is a token with the word's vector. */
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
