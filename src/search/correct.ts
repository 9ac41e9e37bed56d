/** Corrects typing errors: a word that occurs nowhere in the index becomes a near one that does. */
import type { Store } from '../store/store.ts'
import type { People } from './person.ts'
import { cutQuery, outsideQuotes, pieces } from './query-text.ts'
import type { Correction } from './result.ts'
import { isStopWord } from './stop-words.ts'

const SHORTEST = 4
/** More unknown words mean pasted text, not a mistyped question. */
const MOST_STRANGE = 6
/** A plain word. Codes, paths, hashes and abbreviations are searched as typed. */
const WORD = /^\p{L}\p{Ll}+$/u

type Index = Pick<Store, 'lexical' | 'work'>

export interface Corrected {
  readonly query: string
  readonly corrections: readonly Correction[]
}

export async function corrected(query: string, { index, people }: { index: Index; people: People }): Promise<Corrected> {
  const strange = await strangeWords(query, index)
  if (strange.length === 0 || strange.length > MOST_STRANGE) return { query, corrections: [] }
  const { meant } = await import('./meant-word.ts')
  const corrections: Correction[] = []
  for (const typed of strange) {
    const used = await meant(typed, { lexical: index.lexical, people })
    if (used !== undefined) corrections.push({ typed, used })
  }
  if (corrections.length === 0) return { query, corrections }
  const used = new Map(corrections.map((one) => [one.typed, one.used]))
  return { query: outsideQuotes(query, (text) => text.replace(/\p{L}+/gu, (word) => used.get(word) ?? word)), corrections }
}

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
