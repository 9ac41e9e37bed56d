/** The last answer of a connection, which resolves hit numbers. One per connection. */
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'

const NUMBER = /^[1-9]\d{0,4}$/
/** An id as printed with a hit: with the line of its match. */
const WITH_LINE = /^(\S+)\s+L([1-9]\d{0,6})$/

export interface Asked {
  readonly first?: number
  readonly about?: readonly string[]
  readonly shown?: readonly string[]
  readonly ids?: readonly string[]
  readonly lines?: readonly number[]
}

export interface Named {
  readonly name: string
  readonly about?: readonly string[]
  readonly shown?: string
  readonly line?: number
}

export interface Answered {
  remember(names: readonly string[], asked?: Asked): void
  /** Resolves a number and returns other text unchanged. Throws NOT_FOUND for an unknown number. */
  named(text: string): Named
}

export interface NumberedHit {
  readonly id: string
  readonly kind: string
  readonly citation: string
  readonly excerpt: string
  readonly match_line: number
}

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
      // Tool work is on no line of its turn.
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
