import type { People, Person } from './person.ts'
import { isStopWord } from './stop-words.ts'

export interface Mention {
  /** Undefined if the question names several people or none. */
  readonly person: Person | undefined
  /** The question without names of people. Names stand in every second line of a chat: a vector with them finds speakers, not subjects. */
  readonly meaning: string
}

const LONGEST_NAME = 3
const LONGEST_QUESTION = 60
const NAME = /^\p{L}[\p{L}\p{M}'.-]*$/u

export async function mentionOf(query: string, all: People): Promise<Mention> {
  const tokens = query.split(/\s+/).filter((token) => token !== '')
  if (tokens.length > LONGEST_QUESTION) return { person: undefined, meaning: query }
  const found = new Map<string, Person>()
  const rest: string[] = []
  for (let i = 0; i < tokens.length; ) {
    const name = await nameAt(tokens, i, all)
    if (name) found.set(JSON.stringify(name.person), name.person)
    else rest.push(tokens[i] ?? '')
    i += name?.length ?? 1
  }
  const [person] = found.values()
  const says = rest.some((token) => !isStopWord(plain(token)) && plain(token) !== '')
  return { person: found.size === 1 ? person : undefined, meaning: found.size > 0 && says ? rest.join(' ') : query }
}

/** The longest name at this token. Names that are also words (Will, Mark) must be capitalized. */
async function nameAt(tokens: readonly string[], at: number, all: People): Promise<{ person: Person; length: number } | undefined> {
  for (let length = Math.min(LONGEST_NAME, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length).map(plain)
    const name = words.join(' ')
    if (!words.every((word) => NAME.test(word))) continue
    if (length === 1 && isStopWord(name) && (at === 0 || !/^\p{Lu}/u.test(name))) continue
    const person = await all.named(name)
    if (person) return { person, length }
  }
  return undefined
}

function plain(token: string): string {
  return token
    .replaceAll('’', "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/'s$/i, '')
}
