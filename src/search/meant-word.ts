/** What was meant by a word that stands nowhere: a person's name, or a near word of the index. Reads only. */
import { typingErrors } from '../core/edit-distance.ts'
import { countTokens } from '../core/tokens.ts'
import type { Lexical } from '../store/lexical.ts'
import type { People } from './person.ts'

const SHORTEST = 4
/** A longer word may have two errors. */
const LONG = 8
const WORD = /^\p{L}\p{Ll}+$/u
const ENDING = /(?:e?s|e?d|ing|ly|er|ers)$/

/** Names of people come first where it is written like one. */
export async function meant(typed: string, { lexical, people }: { lexical: Lexical; people: People }): Promise<string | undefined> {
  if ((await people.named(typed)) !== undefined) return undefined
  const most = typed.length < LONG ? 1 : 2
  const written = /^\p{Lu}/u.test(typed)
  const name = await nearName(typed.toLowerCase(), most, people)
  if (name !== undefined && written) return name
  // Who asks for a black hole where none was ever mentioned did not mistype "back" and "home".
  if (isEnglish(typed.toLowerCase())) return undefined
  // Among short words, and with two errors, nearly everything is near something: there the first letter must be right.
  const near = await lexical.nearWords(typed, most)
  const first = typed.slice(0, 1).toLowerCase()
  const [best] = near.filter(
    ({ word, errors }) => word.length >= SHORTEST && ((typed.length > SHORTEST && errors === 1) || word.startsWith(first)),
  )
  if (best === undefined) return name
  return written ? `${best.word.slice(0, 1).toUpperCase()}${best.word.slice(1)}` : best.word
}

/** A word that the embedded model knows as a whole, or such a word with an ending: it is spelt as it was meant. */
function isEnglish(word: string): boolean {
  const base = word.replace(ENDING, '')
  return countTokens(word) === 1 || (base.length >= SHORTEST && countTokens(base) === 1)
}

async function nearName(typed: string, most: number, people: People): Promise<string | undefined> {
  const names = (await people.names()).flatMap((name) => name.split(/\s+/)).filter((name) => WORD.test(name) && name.length >= SHORTEST)
  const near = [...new Set(names)].map((name) => ({ name, errors: typingErrors(typed, name.toLowerCase(), most) }))
  return near.filter(({ errors }) => errors <= most).sort((a, b) => a.errors - b.errors)[0]?.name
}
