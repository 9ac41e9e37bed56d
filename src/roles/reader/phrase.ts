import { isStopWord } from '../../search/stop-words.ts'
import type { Store } from '../../store/store.ts'
import type { FirstLook } from './first-look.ts'
import type { KnownNames } from './known-names.ts'
import { ownWords } from './own-words.ts'
import { mayPoint, pointedFiles } from './pointed-files.ts'

export interface Phrasing {
  readonly text: string
  readonly why: string
}

/** A longer prompt is searched by its questions. */
const LONGEST = 400
/** With fewer words, the session's earlier prompts supply the subject. */
const FEWEST_WORDS = 2
const LONGEST_BEFORE = 200

const TOUCHES = 40

interface Asked {
  readonly known: KnownNames
  readonly before: readonly string[]
  readonly session: string | undefined
}

export async function phrasingsOf(store: Store, look: FirstLook, { known, before, session }: Asked): Promise<Phrasing[]> {
  const asked = look.questions.join(' ')
  const whole = look.text.length <= LONGEST || asked === '' ? look.text.slice(0, LONGEST) : asked.slice(0, LONGEST)
  const found: Phrasing[] = [{ text: whole, why: 'the prompt' }]
  if (known.entities.length > 0) {
    const called = new Set(known.entities.map(({ called: name }) => name))
    const others = (await store.reader.aliases(known.entities.map(({ id }) => id)))
      .map(({ value }) => value)
      .filter((value) => !called.has(value.toLowerCase()))
    if (others.length > 0)
      found.push({
        text: `${contentWords(whole).join(' ')} ${[...new Set(others)].slice(0, 4).join(' ')}`,
        why: 'other names of whom it names',
      })
  }
  if (contentWords(whole).length < FEWEST_WORDS && before.length > 0)
    found.push({
      text: before.map((prompt) => ownWords(prompt).text.slice(0, LONGEST_BEFORE)).join(' '),
      why: 'what the session spoke of before',
    })
  const words = contentWords(whole)
  if (session !== undefined) {
    const asked = { text: whole, words: words.length, codes: look.names.codes }
    const files = mayPoint(asked) ? pointedFiles(asked, await store.reader.files(session, TOUCHES)) : []
    if (files.length > 0) found.push({ text: `${words.join(' ')} ${files.join(' ')}`, why: `files of the session (${files.join(', ')})` })
  }
  return found.filter(({ text }, i) => text.trim() !== '' && found.findIndex((other) => other.text === text) === i)
}

export function contentWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}\p{M}_'./-]+/u).filter((word) => word.length > 1 && !isStopWord(word.replace(/[.,]+$/, '')))
}
