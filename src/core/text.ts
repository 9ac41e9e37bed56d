/** Small functions on text. None of them splits a surrogate pair or lets text control a terminal. */

/** OSC, DCS, SOS, PM and APC strings, CSI sequences, and the short ones; each also in its 8-bit form. */
export const ESCAPE_SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?/g
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
const MARK_OR_JOINER = /^(?:\p{M}|\u200d)/u

/** Removes escape sequences and control characters except newline and tab; a carriage return becomes a newline. */
export function stripControls(text: string): string {
  if (!CONTROL.test(text)) return text
  return text.replace(ESCAPE_SEQUENCE, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/** Marks of direction, which would turn the rest of a line around. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LINE_ENDS = /[\u2028\u2029]/g

/** Stored text for a terminal, or for an agent whose harness shows it in one: nothing in it may command it, reorder its lines or end them unseen. */
export function printable(text: string): string {
  return stripControls(text).replace(DIRECTION, '').replace(LINE_ENDS, '\n')
}

/** The text on one line, at most `max` UTF-16 units long. */
export function oneLine(text: string, max: number): string {
  return clip(stripControls(beginningOf(text, max)).replace(/\s+/g, ' ').trim(), max)
}

/** A line needs only the beginning of a text of megabytes: what comes after so much white space and markup is no title. */
function beginningOf(text: string, max: number): string {
  const enough = 64 * 1024 + 16 * max
  return text.length <= enough ? text : text.trimStart().slice(0, enough)
}

/** At most `max` UTF-16 units, cut at a word where one ends in the last third, with '…' in place of what is missing. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  if (max <= 0) return ''
  let end = characterStart(text, max - 1)
  const space = text.slice(0, end + 1).search(/\s\S*$/)
  if (space > (end * 2) / 3) end = space
  return `${text.slice(0, end).trimEnd()}…`
}

/** The last index at or before `index` where a character begins, with the marks and joiners that belong to it. */
function characterStart(text: string, index: number): number {
  let at = index
  for (let steps = 0; at > 0 && steps < 16; steps++) {
    const code = text.charCodeAt(at)
    const inPair = code >= 0xdc00 && code <= 0xdfff && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    if (!inPair && !MARK_OR_JOINER.test(text.slice(at, at + 2)) && text.charCodeAt(at - 1) !== 0x200d) break
    at--
  }
  return at
}

/** '1 turn', '2 turns', '3 entries', '12,000 matches'. */
export function plural(n: number, word: string, many = pluralOf(word)): string {
  return `${grouped(n)} ${n === 1 ? word : many}`
}

/** A whole number: 950, 12,000. A language's own way loads the tables of all languages, which takes longer than a search. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

/** Scripts written without spaces between words: Han, kana, Hangul, bopomofo. */
export function isCjk(codepoint: number): boolean {
  if (codepoint < 0x1100) return false
  return CJK_RANGES.some(([from, to]) => codepoint >= from && codepoint <= to)
}

const CJK_RANGES: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x2e80, 0x2fdf],
  [0x3005, 0x3007],
  [0x3021, 0x3029],
  [0x3031, 0x3035],
  [0x3038, 0x303b],
  [0x3041, 0x3096],
  [0x309d, 0x30ff],
  [0x3105, 0x312f],
  [0x3131, 0x318e],
  [0x31a0, 0x31bf],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xff66, 0xffdc],
  [0x1b000, 0x1b16f],
  [0x20000, 0x323af],
]

/** Combining marks that unicode61 drops inside a word; any other mark ends it. */
const DROPPED_MARKS = '\\u0300-\\u0304\\u0306-\\u030c\\u030f\\u0311\\u031b\\u0323-\\u0328\\u032d\\u032e\\u0330\\u0331'
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{Co}][\\p{L}\\p{N}\\p{Co}${DROPPED_MARKS}]*`, 'gu')
const DROPPED = new RegExp(`[${DROPPED_MARKS}]`, 'g')

/** Runs of letters and digits, lower-cased, diacritics of Latin letters folded, as SQLite's unicode61 tokenizer cuts them. */
export function words(text: string): string[] {
  const found = text.match(WORD) ?? []
  return found.map((word) => (/^[\x00-\x7f]*$/.test(word) ? word.toLowerCase() : fold(word)))
}

function fold(word: string): string {
  let folded = ''
  // Letter by letter: lower-casing a whole word gives sigma another form at its end; upper-casing first makes both forms equal.
  for (const letter of word.replace(DROPPED, '')) {
    const upper = letter.toUpperCase()
    const lower = (upper.length === letter.length && letter !== 'ı' ? upper : letter).toLowerCase()
    const base = lower.normalize('NFD')
    folded += /^[a-z]\p{M}+$/u.test(base) ? base.charAt(0) : lower
  }
  return folded
}

/** With signs of print and drawn lines, but no letter or number beyond ASCII. */
const PLAIN_TEXT = /^[\u0000-\u007f\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]*$/
const PLAIN = /[A-Za-z0-9]+/g
const ANY = /[\p{L}\p{N}]+/gu

/** The words of a text: runs of letters and digits. Most text is plain, and cut four times as fast without the tables of Unicode. */
export function wordsIn(text: string): readonly string[] {
  return text.match(hasPlainWords(text) ? PLAIN : ANY) ?? []
}

/** The words of a text and nothing else, lower-cased: two texts that differ in signs and case alone are the same. */
export function bareWords(text: string): string {
  return wordsIn(text.toLowerCase()).join(' ')
}

export function hasPlainWords(text: string): boolean {
  return PLAIN_TEXT.test(text)
}

/** A text as the set of its runs of a few words, by which two texts are compared. Each run is a number: a text has hundreds of them, and making each a text of its own costs more than all the rest of comparing. */
export function runsOfWords(text: string, length: number): Set<number> {
  const words = wordsIn(text.toLowerCase()).map(numberOf)
  const runs = new Set<number>()
  for (let i = 0; i + length <= words.length; i++) {
    let run = 0
    for (let j = i; j < i + length; j++) run = (Math.imul(run, 0x01000193) ^ (words[j] as number)) >>> 0
    runs.add(run)
  }
  return runs
}

/** FNV-1a: two words of one number are so rare that they make no two texts alike. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
