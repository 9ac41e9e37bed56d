/** What was meant by a word that stands nowhere: a person's name, or a near word of the index. Reads only. */
import { typingErrors } from '../core/edit-distance.ts'
import type { Lexical } from '../store/lexical.ts'
import type { People } from './person.ts'

const SHORTEST = 4
/** A longer word may have two errors. */
const LONG = 8
const WORD = /^\p{L}\p{Ll}+$/u

/** Names of people come first where it is written like one. */
export async function meant(typed: string, { lexical, people }: { lexical: Lexical; people: People }): Promise<string | undefined> {
  if ((await people.named(typed)) !== undefined) return undefined
  const most = typed.length < LONG ? 1 : 2
  const written = /^\p{Lu}/u.test(typed)
  const name = await nearName(typed.toLowerCase(), most, people)
  if (name !== undefined && written) return name
  // Among short words nearly everything is near something: there the first letter must be right.
  const near = await lexical.nearWords(typed, most)
  const [best] = near.filter(({ word }) => word.length >= SHORTEST && (typed.length > SHORTEST || word[0] === typed[0]?.toLowerCase()))
  if (best === undefined) return name
  return written ? `${best.word.slice(0, 1).toUpperCase()}${best.word.slice(1)}` : best.word
}

async function nearName(typed: string, most: number, people: People): Promise<string | undefined> {
  const names = (await people.names()).flatMap((name) => name.split(/\s+/)).filter((name) => WORD.test(name) && name.length >= SHORTEST)
  const near = [...new Set(names)].map((name) => ({ name, errors: typingErrors(typed, name.toLowerCase(), most) }))
  return near.filter(({ errors }) => errors <= most).sort((a, b) => a.errors - b.errors)[0]?.name
}
