/**
 * Typing errors: a word that stands nowhere in the index, neither in what was said nor in what tools did, is searched as a near one that was said.
 * Reads only; the answer says what it used.
 */
import { typingErrors } from '../core/edit-distance.ts'
import { countTokens } from '../core/tokens.ts'
import type { Store } from '../store/store.ts'
import type { People } from './person.ts'
import { cutQuery, outsideQuotes, pieces } from './query-text.ts'
import type { Correction } from './result.ts'
import { isStopWord } from './stop-words.ts'

const SHORTEST = 4
/** A longer word may have two errors. */
const LONG = 8
/** A text with more strange words than this is no mistyped question. */
const MOST_STRANGE = 6
/** A word, as people type one: a code, a path, a hash or an abbreviation in capitals is meant as it stands. */
const WORD = /^\p{L}\p{Ll}+$/u
const ENDING = /(?:e?s|e?d|ing|ly|er|ers)$/

type Index = Pick<Store, 'lexical' | 'work'>

export interface Corrected {
  readonly query: string
  readonly corrections: readonly Correction[]
}

/** The query with what was meant in place of what was typed. What stands in quotes is left alone. */
export async function corrected(query: string, { index, people }: { index: Index; people: People }): Promise<Corrected> {
  const strange = await strangeWords(query, index)
  if (strange.length === 0 || strange.length > MOST_STRANGE) return { query, corrections: [] }
  const corrections: Correction[] = []
  for (const typed of strange) {
    const used = await meant(typed, { index, people })
    if (used !== undefined) corrections.push({ typed, used })
  }
  if (corrections.length === 0) return { query, corrections }
  const used = new Map(corrections.map((one) => [one.typed, one.used]))
  return { query: outsideQuotes(query, (text) => text.replace(/\p{L}+/gu, (word) => used.get(word) ?? word)), corrections }
}

/** The words of the query that no chunk and no tool call holds, and that no word of what was said begins with. */
async function strangeWords(query: string, { lexical, work }: Index): Promise<string[]> {
  const words = new Set<string>()
  for (const token of cutQuery(query).tokens) {
    const [piece, ...more] = pieces(token)
    if (piece?.kind !== 'word' || more.length > 0 || piece.text.length < SHORTEST) continue
    if (WORD.test(piece.text) && !isStopWord(piece.text)) words.add(piece.text)
  }
  const strange: string[] = []
  for (const word of words) {
    if (strange.length > MOST_STRANGE) break
    const stands = (prefix: boolean) => lexical.documentFrequency({ words: [word], prefix })
    if ((await stands(false)) > 0 || (await stands(true)) > 0) continue
    if ((await work.documentFrequency({ words: [word] })) === 0) strange.push(word)
  }
  return strange
}

/** Names of people come first where it is written like one. */
async function meant(typed: string, { index, people }: { index: Index; people: People }): Promise<string | undefined> {
  if ((await people.named(typed)) !== undefined) return undefined
  const most = typed.length < LONG ? 1 : 2
  const written = /^\p{Lu}/u.test(typed)
  const name = await nearName(typed.toLowerCase(), most, people)
  if (name !== undefined && written) return name
  // Who asks for a black hole where none was ever mentioned did not mistype "back" and "home".
  if (isEnglish(typed.toLowerCase())) return undefined
  // Among short words, and with two errors, nearly everything is near something: there the first letter must be right.
  const near = await index.lexical.nearWords(typed, most)
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
