import { plural } from '../../core/text.ts'

export interface StoodIn {
  readonly onStoodIn: () => void
  /** Resets the count. */
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
