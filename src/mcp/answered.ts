/** What the last search or list of a connection gave, so that its numbers can be read. One for each connection. */
import { MnemonicError } from '../core/error.ts'

const NUMBER = /^[1-9]\d{0,4}$/

export interface Answered {
  /** In the order of the numbers that were shown; `first` is the number of the first. */
  remember(names: readonly string[], first?: number): void
  /** What a number stands for; any other text as it is. Throws NOT_FOUND for a number that was not shown. */
  named(text: string): string
}

export function lastAnswered(): Answered {
  let names: readonly string[] = []
  let first = 1
  return {
    remember(all, from = 1) {
      names = all
      first = from
    },
    named(text) {
      if (!NUMBER.test(text)) return text
      const name = names[Number(text) - first]
      if (name !== undefined) return name
      const had = names.length === 0 ? 'nothing was listed yet' : `it has ${first} to ${first + names.length - 1}`
      throw new MnemonicError('NOT_FOUND', `the last answer has no number ${text}: ${had}`, {
        details: { number: Number(text) },
        hint: 'Call memory_search, or give an id such as c010174c:7.',
      })
    },
  }
}
