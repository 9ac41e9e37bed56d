/** Counts the sentences that rules wrote where a model should have: who publishes learns of it. */
import { plural } from '../../core/text.ts'

export interface StoodIn {
  readonly onStoodIn: () => void
  /** `others`, and one of what was counted since the last call. */
  warnings(others: readonly string[]): string[]
}

export function stoodIn(writer: string | undefined): StoodIn {
  let count = 0
  return {
    onStoodIn: () => {
      count++
    },
    warnings(others) {
      const counted = count
      count = 0
      if (counted === 0 || writer === undefined) return [...others]
      return [...others, `rules wrote ${plural(counted, 'sentence')}: ${writer} gave none that can be used`]
    },
  }
}
