/** Vectors in time or not at all: a search whose question has none goes on by words. */
import { MnemonicError } from '../core/error.ts'

type Vectors = (texts: readonly string[]) => Promise<Float32Array[]>

/** Rejects as soon as the signal fires, whatever the model still does. */
export function withoutWaiting(vectors: Vectors, signal: AbortSignal | undefined): Vectors {
  if (signal === undefined) return vectors
  return async (texts) => {
    const late = () => new MnemonicError('EMBEDDING_FAILED', 'the model was not ready in time')
    if (signal.aborted) throw late()
    let stop = () => {}
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(late())
      signal.addEventListener('abort', stop, { once: true })
    })
    try {
      return await Promise.race([vectors(texts), aborted])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
