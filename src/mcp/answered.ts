/** What the last search or list of a connection gave, so that its numbers can be read. One for each connection. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'

const NUMBER = /^[1-9]\d{0,4}$/

export interface Asked {
  /** The number of the first; 1 when absent. */
  readonly first?: number
  /** The question that they are hits of, in its phrasings. */
  readonly about?: readonly string[]
  /** What was shown of each. */
  readonly shown?: readonly string[]
}

export interface Named {
  readonly name: string
  /** The question, where it is a hit of one. */
  readonly about?: readonly string[]
  /** What was shown of it. */
  readonly shown?: string
}

export interface Answered {
  /** In the order of the numbers that were shown. */
  remember(names: readonly string[], asked?: Asked): void
  /** What a number stands for; any other text as it is. Throws NOT_FOUND for a number that was not shown. */
  named(text: string): Named
}

export function lastAnswered(): Answered {
  let names: readonly string[] = []
  let first = 1
  let about: readonly string[] | undefined
  let shown: readonly string[] = []
  return {
    remember(all, asked = {}) {
      names = all
      first = asked.first ?? 1
      about = asked.about
      shown = asked.shown ?? []
    },
    named(text) {
      if (!NUMBER.test(text)) return { name: text }
      const position = Number(text) - first
      const name = names[position]
      if (name !== undefined) return { name, ...given({ about, shown: shown[position] }) }
      const had = names.length === 0 ? 'nothing was listed yet' : `it has ${first} to ${first + names.length - 1}`
      throw new MnemonicError('NOT_FOUND', `the last answer has no number ${text}: ${had}`, {
        details: { number: Number(text) },
        hint: 'Call memory_search, or give an id such as c010174c:7.',
      })
    },
  }
}
