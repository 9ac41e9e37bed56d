/** Words of a text for the topic rules. Code, addresses and numbers are breaks; identifiers and files are words. */
import { identifierOf, splitName } from './identifier-words.ts'
import { withoutCodeBlocks } from './plain-line.ts'
import { BEFORE_VERB } from './word-classes.ts'

export interface Word {
  readonly lower: string
  readonly capital: boolean
  readonly acronym: boolean
  readonly ideographs: boolean
  /** Split name of code or a file: `turn-checkpoint-id`. In no phrase. */
  readonly identifier: boolean
  /** Follows a word that precedes verbs. */
  readonly verbal: boolean
  /** Follows a stop word, punctuation, a line end or noise: no phrase crosses it. */
  readonly afterBreak: boolean
}

const LETTERS = /^[\p{L}][\p{L}'’-]*$/u
/** `fts5`, `gpt-4`: short names with a number. */
const NUMBERED = /^[a-z]{2,10}-?\d{1,2}$/i
const IDEOGRAPHS = /[\u30a0-\u30ff\u4e00-\u9fff]/
/** Hiragana and common Chinese function words, which separate nouns. */
const BETWEEN_IDEOGRAPHS = /[\u3001-\u309f的了是在我你他她它们这那和与就都也不要有吗呢吧啊把被让给对从到会能可以什么怎为因所如果但说请用]+/g
const LONGEST = 4_000

export function scanWords(whole: string, stops: ReadonlySet<string>): Word[] {
  const text = prose(whole)
  const { length } = text
  const words: Word[] = []
  let broken = true
  let verbal = false
  let sentence = true
  for (let next = 0; next < length; ) {
    const begin = next
    let code = text.charCodeAt(next++)
    if (isBlank(code)) {
      if (code === 10) broken = sentence = true
      continue
    }
    while (next < length && !isBlank(text.charCodeAt(next))) next++
    let start = begin
    let end = next
    while (start < end && isPunctuation(text.charCodeAt(start))) start++
    while (end > start && isPunctuation(text.charCodeAt(end - 1))) end--
    const kind = kindOf(text, start, end)
    const word = kind === NO_WORD ? '' : text.slice(start, end)
    const lower = kind === MIXED ? lowerCase(word) : word
    const name = kind === NO_WORD ? identifierOf(text, start, end) : kind === MIXED ? splitName(word) : undefined
    if (name !== undefined) {
      words.push({ lower: name, capital: false, acronym: false, ideographs: false, identifier: true, verbal: false, afterBreak: true })
      broken = true
    } else if (lower === '' || stops.has(lower)) broken = true
    else {
      words.push(toWord(word, lower, { afterBreak: broken || start > begin, sentence, verbal }))
      broken = end < next
    }
    verbal = end === next && BEFORE_VERB.has(lower)
    code = end < next ? text.charCodeAt(end) : 0
    sentence = code === 46 || code === 33 || code === 63 || code === 58 || (sentence && word === '')
  }
  return words
}

function prose(whole: string): string {
  const start = whole.length > LONGEST ? whole.slice(0, LONGEST) : whole
  const text = withoutCodeBlocks(start)
  return IDEOGRAPHS.test(text) ? text.replace(BETWEEN_IDEOGRAPHS, ' 。 ') : text
}

type Around = Pick<Word, 'afterBreak' | 'verbal'> & { readonly sentence: boolean }

function toWord(word: string, lower: string, { afterBreak, sentence, verbal }: Around): Word {
  const first = word.charCodeAt(0)
  const upper = first <= 90
  const acronym = upper && word.length >= 2 && word.length <= 5 && word === word.toUpperCase()
  // PascalCase marks a name anywhere: GitHub, TypeScript.
  const capital = upper && !acronym && (!sentence || word.slice(1) !== lower.slice(1))
  return { lower, capital, acronym, ideographs: first >= 0x30a0 && IDEOGRAPHS.test(word), identifier: false, verbal, afterBreak }
}

function lowerCase(word: string): string {
  const lower = word.toLowerCase()
  if (!lower.includes("'") && !lower.includes('’')) return lower
  const plain = lower.replaceAll('’', "'")
  return plain.endsWith("'s") && !CONTRACTED.has(plain) ? plain.slice(0, -2) : plain
}

const CONTRACTED = new Set(["let's", "it's", "that's", "what's", "there's", "here's", "who's", "how's", "where's", "he's", "she's"])

const NO_WORD = 0
const LOWER_CASE = 1
const MIXED = 2

function kindOf(text: string, start: number, end: number): number {
  if (end - start < 2 || text.charCodeAt(end - 1) === 45) return NO_WORD
  let inner = false
  let digit = false
  let kind = LOWER_CASE
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if ((code >= 97 && code <= 122) || code === 45) continue
    if (code >= 48 && code <= 57) {
      digit = true
      continue
    }
    kind = MIXED
    if (code >= 65 && code <= 90) inner ||= i > start && text.charCodeAt(start) >= 97
    else if (code !== 39) return code >= 0x80 && LETTERS.test(text.slice(start, end)) ? MIXED : NO_WORD
  }
  return inner || (digit && !NUMBERED.test(text.slice(start, end))) ? NO_WORD : kind
}

function isBlank(code: number): boolean {
  if (code < 0x80) return code <= 32
  return code === 0xa0 || code === 0x3000 || code === 0x2028 || code === 0x2014 || code === 0x2013
}

const ASCII_PUNCTUATION = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('!"#&\'()*+,-.:;>?[]_`{|}~'.includes(String.fromCharCode(code))),
)

/** Allowed at the ends of a word; inside, only apostrophe and hyphen are. */
function isPunctuation(code: number): boolean {
  if (code < 0x80) return ASCII_PUNCTUATION[code] === 1
  return (
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x3001 && code <= 0x3011) ||
    (code >= 0xff01 && code <= 0xff0f) ||
    code === 0xab ||
    code === 0xbb
  )
}
