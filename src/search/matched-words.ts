/** The words of a query that a chunk holds, for people. */
import type { PlannedTerm } from './plan.ts'

/** As they were typed; parts of an identifier only where the whole is not there. */
export function matchedWords(all: readonly PlannedTerm[]): string[] {
  const found = all.toSorted((a, b) => a.position - b.position)
  const whole = found.filter(({ kind }) => kind !== 'part')
  const text = [...new Set(whole.map((term) => term.text))]
  const parts = found.filter(
    ({ kind, text: part }) => kind === 'part' && !text.some((one) => one.toLowerCase().includes(part.toLowerCase())),
  )
  return [...text, ...new Set(parts.map((term) => term.text))]
}
