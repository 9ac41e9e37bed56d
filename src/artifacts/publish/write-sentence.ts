/** The sentence of a publication: by the writer where there is one, else by rules. Decided once; the journal keeps it. */
import { type MemorySentence, memorySentence, type SentenceInput, writeMemorySentence } from '../../analyze/memory-sentence.ts'
import type { DatedSentence } from '../format/session-set.ts'
import type { PublishContext } from './publish-context.ts'

const MODEL_MS = 30_000

/** A writer that fails, is late or writes below the floor is replaced by the rules; it never keeps a session from being published. */
export async function writeSentence(
  { writer, signal }: Pick<PublishContext, 'writer' | 'signal'>,
  input: SentenceInput,
): Promise<MemorySentence> {
  if (writer === undefined) return memorySentence(input)
  const limit = AbortSignal.timeout(MODEL_MS)
  return writeMemorySentence(input, writer, signal ? AbortSignal.any([signal, limit]) : limit)
}

export function dated({ text, version, quality }: MemorySentence, generatedAt: number): DatedSentence {
  return { text, version, quality, generatedAt }
}
