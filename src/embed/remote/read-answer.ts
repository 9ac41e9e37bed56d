/** Validates the whole answer: nothing doubtful is stored. */
import { embeddingFailed } from '../embedder.ts'
import { normalized } from '../windows.ts'
import type { Target } from './failure.ts'

export interface Expected {
  readonly count: number
  /** Absent on the probe call. */
  readonly dimensions: number | undefined
}

export function readAnswer(embeddings: readonly (readonly number[])[], { count, dimensions }: Expected, target: Target): Float32Array[] {
  if (embeddings.length !== count) {
    throw embeddingFailed(`${target.provider} answered with ${embeddings.length} vectors for ${count} texts`, {
      fault: 'input',
      ...target,
      expected: count,
      found: embeddings.length,
    })
  }
  const length = dimensions ?? embeddings[0]?.length ?? 0
  return embeddings.map((embedding) => {
    if (embedding.length !== length || length === 0) throw wrongLength(embedding.length, length, target)
    const vector = normalized(embedding)
    if (!vector.every(Number.isFinite)) {
      throw embeddingFailed(`${target.provider} answered with a vector that has no direction`, { fault: 'input', ...target })
    }
    return vector
  })
}

function wrongLength(found: number, expected: number, target: Target): Error {
  const message = `${target.model} of ${target.provider} gives vectors of ${found} numbers, not of ${expected}`
  const hint = 'Set embedding.dimensions in config.yaml to what the model gives, or remove it; then run mnemonic embed.'
  return embeddingFailed(message, { fault: 'provider', ...target, expected, found }, { hint })
}
