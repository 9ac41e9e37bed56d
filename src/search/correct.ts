/**
 * Typing errors: a word that stands nowhere in the index, neither in what was said nor in what tools did, is searched as a near one that was said.
 * Reads only; the answer says what it used.
 */
import type { Store } from '../store/store.ts'
import type { People } from './person.ts'
import { cutQuery, outsideQuotes, pieces } from './query-text.ts'
import type { Correction } from './result.ts'
import { isStopWord } from './stop-words.ts'

const SHORTEST = 4
/** A text with more strange words than this is no mistyped question. */
const MOST_STRANGE = 6
/** A word, as people type one: a code, a path, a hash or an abbreviation in capitals is meant as it stands. */
const WORD = /^\p{L}\p{Ll}+$/u

type Index = Pick<Store, 'lexical' | 'work'>

export interface Corrected {
  readonly query: string
  readonly corrections: readonly Correction[]
}

/** The query with what was meant in place of what was typed. What stands in quotes is left alone. */
export async function corrected(query: string, { index, people }: { index: Index; people: People }): Promise<Corrected> {
  const strange = await strangeWords(query, index)
  if (strange.length === 0 || strange.length > MOST_STRANGE) return { query, corrections: [] }
  const { meant } = await import('./meant-word.ts') // most questions have no typing error
  const corrections: Correction[] = []
  for (const typed of strange) {
    const used = await meant(typed, { lexical: index.lexical, people })
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
