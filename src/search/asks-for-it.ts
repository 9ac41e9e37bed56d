/** Whether a question found something for a decision that stands in it, and that holds no longer, and not for what else is said there. Pure. */
import { termsOf } from '../analyze/history/terms.ts'
import type { ReplacedDecision } from '../store/search-rows.ts'

export interface FoundThere {
  /** Words of the question that stand there, one or several together. */
  readonly matched: readonly string[]
  /** Characters of what was found; undefined where the decision itself was not. */
  readonly length: number | undefined
}

/** More than half of the words that were found are what the decision is about. Found by meaning alone, the decision must be half of what was found. */
export function asksForIt({ terms, text }: Pick<ReplacedDecision, 'terms' | 'text'>, { matched, length }: FoundThere): boolean {
  const about = new Set((terms ?? '').split('\n'))
  const { names, words } = termsOf(matched.join('\n'))
  const found = [...new Set([...names, ...words])]
  if (found.length === 0) return length !== undefined && (text ?? '').length >= length / 2
  return found.filter((term) => about.has(term)).length > found.length / 2
}
