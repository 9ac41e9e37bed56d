/** Whether a hit matched because of its replaced decision, not because of its other text. */
import { termsOf } from '../analyze/history/terms.ts'
import type { ReplacedDecision } from '../store/search-rows.ts'

export interface FoundThere {
  readonly matched: readonly string[]
  readonly length: number | undefined
}

/** Most matched words must be about the decision. Without matched words, the decision must be half of the hit. */
export function asksForIt({ terms, text }: Pick<ReplacedDecision, 'terms' | 'text'>, { matched, length }: FoundThere): boolean {
  const about = new Set((terms ?? '').split('\n'))
  const { names, words } = termsOf(matched.join('\n'))
  const found = [...new Set([...names, ...words])]
  if (found.length === 0) return length !== undefined && (text ?? '').length >= length / 2
  return found.filter((term) => about.has(term)).length > found.length / 2
}
