/** The sentence that an artifact's head carries. */
import type { ContentFrontmatter } from '../format/frontmatter-schema.ts'
import type { DatedSentence } from '../format/session-set.ts'

export function sentenceIn(fields: ContentFrontmatter): DatedSentence {
  return {
    text: fields.memory_sentence,
    version: fields.memory_sentence_version as DatedSentence['version'],
    quality: fields.memory_sentence_quality,
    generatedAt: Date.parse(fields.memory_sentence_generated_at),
  }
}
