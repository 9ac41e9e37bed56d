/** Guesses the word that was meant: a person's name, or a near word of the index. */
import { typingErrors } from '../core/edit-distance.ts'
import { countTokens } from '../core/tokens.ts'
import type { Lexical } from '../store/lexical.ts'
import type { People } from './person.ts'

const SHORTEST = 4
/** Longer words may have two errors. */
const LONG = 8
const WORD = /^\p{L}\p{Ll}+$/u
const ENDING = /(?:e?s|e?d|ing|ly|er|ers)$/

export async function meant(typed: string, { lexical, people }: { lexical: Lexical; people: People }): Promise<string | undefined> {
  if ((await people.named(typed)) !== undefined) return undefined
  const most = typed.length < LONG ? 1 : 2
  const written = /^\p{Lu}/u.test(typed)
  const name = await nearName(typed.toLowerCase(), most, people)
  if (name !== undefined && written) return name
  // A correct English word is no typing error: "black hole" must not become "back home".
  if (isEnglish(typed.toLowerCase())) return undefined
  // Short words, and two errors, match nearly anything: the first letter must be right.
  const near = await lexical.nearWords(typed, most)
  const first = typed.slice(0, 1).toLowerCase()
  const [best] = near.filter(
    ({ word, errors }) => word.length >= SHORTEST && ((typed.length > SHORTEST && errors === 1) || word.startsWith(first)),
  )
  if (best === undefined) return name
  return written ? `${best.word.slice(0, 1).toUpperCase()}${best.word.slice(1)}` : best.word
}

/** Correct: the word, or the word without its ending, is one token of the embedding model. */
function isEnglish(word: string): boolean {
  const base = word.replace(ENDING, '')
  return countTokens(word) === 1 || (base.length >= SHORTEST && countTokens(base) === 1)
}

async function nearName(typed: string, most: number, people: People): Promise<string | undefined> {
  const names = (await people.names()).flatMap((name) => name.split(/\s+/)).filter((name) => WORD.test(name) && name.length >= SHORTEST)
  const near = [...new Set(names)].map((name) => ({ name, errors: typingErrors(typed, name.toLowerCase(), most) }))
  return near.filter(({ errors }) => errors <= most).sort((a, b) => a.errors - b.errors)[0]?.name
}
