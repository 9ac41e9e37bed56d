/** The words of a question, and which of them a sentence holds: without endings, parts of identifiers too. Pure. */
import { wordsIn } from '../core/text.ts'

/** A word, an identifier or a phrase of the question. */
export interface Sought {
  readonly words: readonly string[]
  /** What finding it is worth: rare is worth more. */
  readonly weight: number
}

export interface SoughtWord {
  readonly weight: number
  /** A single word without its ending, or words side by side, or characters of a script without spaces. */
  readonly stem?: string
  readonly phrase?: string
  /** How every text that holds it has it somewhere, in lower case: most sentences do not, and are not cut into words. */
  readonly sign: string
}

const HUMP = /\p{Ll}\p{Lu}/u
const HUMPS = /(\p{Ll})(\p{Lu})/gu
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

export function soughtWord({ words, weight }: Sought): SoughtWord[] {
  const parts = wordsIn(words.join(' '))
  const [only, ...more] = parts
  if (only === undefined) return []
  if (more.length > 0 || CJK.test(only))
    return [{ weight, phrase: parts.join(' ').toLowerCase(), sign: (parts[0] as string).toLowerCase() }]
  const stem = stemOf(only)
  return [{ weight, stem, sign: stem.replace(/y$/, '') }]
}

/** Positions of the words that stand in the sentence. */
export function heldIn(sentence: string, words: readonly SoughtWord[]): number[] {
  const lower = sentence.toLowerCase()
  if (!words.some(({ sign }) => lower.includes(sign))) return []
  const whole = wordsIn(sentence)
  const inner = HUMP.test(sentence) ? wordsIn(sentence.replace(HUMPS, '$1 $2')) : []
  const held = new Set(whole.map(stemOf))
  for (const part of inner) held.add(stemOf(part))
  const joined = whole.join(' ').toLowerCase()
  return words.flatMap(({ stem, phrase }, i) => ((stem === undefined ? joined.includes(phrase ?? '') : held.has(stem)) ? [i] : []))
}

const stems = new Map<string, string>()
const MOST_STEMS = 20_000

/** The word without its ending: enough to know `commits` and `committed` for one word. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const stem = withoutEnding(word)
  stems.set(word, stem)
  return stem
}

function withoutEnding(word: string): string {
  const lower = word.toLowerCase()
  if (lower.length < 4) return lower
  const base = lower.replace(/(?:ies|ied)$/, 'y').replace(/(?<=\w{3})(?:ingly|edly|ings?|ed|e?s|ly|ions?)$/, '')
  return base.replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/(?<=\w{3})e$/, '')
}
