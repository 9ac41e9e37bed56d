/** What the last search or list of a connection gave, so that its numbers can be read. One for each connection. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'

const NUMBER = /^[1-9]\d{0,4}$/
/** As a hit prints its id: with the line of its match. */
const WITH_LINE = /^(\S+)\s+L([1-9]\d{0,6})$/

export interface Asked {
  /** The number of the first; 1 when absent. */
  readonly first?: number
  /** The question that they are hits of, in its phrasings. */
  readonly about?: readonly string[]
  /** What was shown of each. */
  readonly shown?: readonly string[]
  /** The id under which each was shown, and the line of its match. */
  readonly ids?: readonly string[]
  readonly lines?: readonly number[]
}

export interface Named {
  readonly name: string
  /** The question, where it is a hit of one. */
  readonly about?: readonly string[]
  /** What was shown of it. */
  readonly shown?: string
  /** The line of its match. */
  readonly line?: number
}

export interface Answered {
  /** In the order of the numbers that were shown. */
  remember(names: readonly string[], asked?: Asked): void
  /** What a number stands for; any other text as it is. Throws NOT_FOUND for a number that was not shown. */
  named(text: string): Named
}

export interface NumberedHit {
  readonly id: string
  readonly kind: string
  readonly citation: string
  readonly excerpt: string
  readonly match_line: number
}

/** The hits of one or several searches, in the order of their numbers. */
export function rememberHits(
  answered: Answered,
  answers: readonly { readonly queries: readonly string[]; readonly results: readonly NumberedHit[] }[],
): void {
  const hits = answers.flatMap(({ results }) => results)
  answered.remember(
    hits.map(({ citation }) => citation),
    {
      about: answers.flatMap(({ queries }) => queries),
      shown: hits.map(({ excerpt }) => excerpt),
      // What a tool call did stands in no line of its turn.
      ids: hits.map(({ id, kind }) => (kind === 'work' ? '' : id)),
      lines: hits.map(({ match_line }) => match_line),
    },
  )
}

export function lastAnswered(): Answered {
  let names: readonly string[] = []
  let first = 1
  let about: readonly string[] | undefined
  let shown: readonly string[] = []
  let ids: readonly string[] = []
  let lines: readonly number[] = []
  return {
    remember(all, asked = {}) {
      names = all
      first = asked.first ?? 1
      about = asked.about
      shown = asked.shown ?? []
      ids = asked.ids ?? []
      lines = asked.lines ?? []
    },
    named(text) {
      const [, id, line] = WITH_LINE.exec(text.trim()) ?? []
      if (id !== undefined) return { name: id, line: Number(line) }
      if (!NUMBER.test(text)) return { name: text, ...given({ line: lines[ids.indexOf(text)] }) }
      const position = Number(text) - first
      const name = names[position]
      if (name !== undefined) return { name, ...given({ about, shown: shown[position], line: lines[position] }) }
      const had = names.length === 0 ? 'nothing was listed yet' : `it has ${first} to ${first + names.length - 1}`
      throw new MnemonicError('NOT_FOUND', `the last answer has no number ${text}: ${had}`, {
        details: { number: Number(text) },
        hint: 'Call memory_search, or give an id such as c010174c:7.',
      })
    },
  }
}
