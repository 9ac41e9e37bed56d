import { hasPlainWords, wordsIn } from '../core/text.ts'

export interface Sought {
  readonly words: readonly string[]
  readonly weight: number
}

export interface SoughtWord {
  readonly weight: number
  /** A stemmed word, adjacent words, or characters of a script without spaces. */
  readonly stem?: string
  readonly phrase?: string
  /** Lower-case substring of every text that holds the word: a cheap test before a sentence is split. */
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
  return [{ weight, stem, sign: stem.length > 1 ? stem.replace(/y$/, '') : stem }]
}

export function heldIn(sentence: string, words: readonly SoughtWord[]): number[] {
  const lower = sentence.toLowerCase()
  const held: number[] = []
  let cut: Cut | undefined
  for (const [i, { stem, phrase, sign }] of words.entries()) {
    if (!lower.includes(sign)) continue
    if (cut === undefined && (stem === undefined || !hasPlainWords(sentence))) cut = cutIntoWords(sentence)
    const holds = stem === undefined ? cut?.joined.includes(phrase ?? '') : (cut?.stems.has(stem) ?? standsIn(sentence, lower, stem, sign))
    if (holds) held.push(i)
  }
  return held
}

interface Cut {
  readonly stems: ReadonlySet<string>
  readonly joined: string
}

function cutIntoWords(sentence: string): Cut {
  const whole = wordsIn(sentence)
  const inner = HUMP.test(sentence) ? wordsIn(sentence.replace(HUMPS, '$1 $2')) : []
  return { stems: new Set([...whole, ...inner].map(stemOf)), joined: whole.join(' ').toLowerCase() }
}

/** Fast path for plain letters, equal to splitting the sentence into words. */
function standsIn(sentence: string, lower: string, stem: string, sign: string): boolean {
  for (let at = lower.indexOf(sign); at >= 0; at = lower.indexOf(sign, at + 1)) {
    const begins = at === 0 || !isLetter(lower.charCodeAt(at - 1))
    if (!begins && !isHump(sentence, at)) continue
    let part = 0
    let end = at + 1
    for (; end < lower.length && isLetter(lower.charCodeAt(end)); end++) if (part === 0 && isHump(sentence, end)) part = end
    if (begins && stemOf(lower.slice(at, end)) === stem) return true
    if ((!begins || part > 0) && stemOf(lower.slice(at, part || end)) === stem) return true
  }
  return false
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}

/** A capital after a small letter begins a part of an identifier. */
function isHump(sentence: string, at: number): boolean {
  const [before, code] = [sentence.charCodeAt(at - 1), sentence.charCodeAt(at)]
  return before >= 97 && before <= 122 && code >= 65 && code <= 90
}

const stems = new Map<string, string>()
const MOST_STEMS = 20_000

/** Gives `commits` and `committed` the same stem. */
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
