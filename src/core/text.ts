/** Never splits a surrogate pair or lets text control a terminal. */

/** OSC, DCS, SOS, PM, APC and CSI sequences and short ones; each also in 8-bit form. */
export const ESCAPE_SEQUENCE =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]?/g
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
const MARK_OR_JOINER = /^(?:\p{M}|\u200d)/u

/** Keeps newline and tab; a carriage return becomes a newline. */
export function stripControls(text: string): string {
  if (!CONTROL.test(text)) return text
  return text.replace(ESCAPE_SEQUENCE, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/** Direction marks could reorder the rest of a line. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LINE_ENDS = /[\u2028\u2029]/g

/** Makes stored text safe for a terminal: no commands, reordering or hidden line ends. */
export function printable(text: string): string {
  return stripControls(text).replace(DIRECTION, '').replace(LINE_ENDS, '\n')
}

export function oneLine(text: string, max: number): string {
  return clip(stripControls(beginningOf(text, max)).replace(/\s+/g, ' ').trim(), max)
}

/** Avoids work on megabytes for one line. */
function beginningOf(text: string, max: number): string {
  const enough = 64 * 1024 + 16 * max
  return text.length <= enough ? text : text.trimStart().slice(0, enough)
}

/** `max` in UTF-16 units, including '…'. Cuts at a word that ends in the last third. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  if (max <= 0) return ''
  let end = characterStart(text, max - 1)
  const space = text.slice(0, end + 1).search(/\s\S*$/)
  if (space > (end * 2) / 3) end = space
  return `${text.slice(0, end).trimEnd()}…`
}

/** Character boundary at or before `index`, keeping marks and joiners together. */
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

export function plural(n: number, word: string, many = pluralOf(word)): string {
  return `${grouped(n)} ${n === 1 ? word : many}`
}

/** 950, 12,000. Intl loads the tables of all languages, which takes longer than a search. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

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

/** Marks that SQLite's unicode61 drops inside a word; any other ends it. */
const DROPPED_MARKS = '\\u0300-\\u0304\\u0306-\\u030c\\u030f\\u0311\\u031b\\u0323-\\u0328\\u032d\\u032e\\u0330\\u0331'
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{Co}][\\p{L}\\p{N}\\p{Co}${DROPPED_MARKS}]*`, 'gu')
const DROPPED = new RegExp(`[${DROPPED_MARKS}]`, 'g')

/** Same words as SQLite's unicode61 tokenizer: lower case, Latin diacritics folded. */
export function words(text: string): string[] {
  const found = text.match(WORD) ?? []
  return found.map((word) => (/^[\x00-\x7f]*$/.test(word) ? word.toLowerCase() : fold(word)))
}

function fold(word: string): string {
  let folded = ''
  // Letter by letter, upper case first: a final sigma must equal the other form.
  for (const letter of word.replace(DROPPED, '')) {
    const upper = letter.toUpperCase()
    const lower = (upper.length === letter.length && letter !== 'ı' ? upper : letter).toLowerCase()
    const base = lower.normalize('NFD')
    folded += /^[a-z]\p{M}+$/u.test(base) ? base.charAt(0) : lower
  }
  return folded
}

/** ASCII with typographic punctuation and box drawing. */
const PLAIN_TEXT = /^[\u0000-\u007f\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]*$/
const PLAIN = /[A-Za-z0-9]+/g
const ANY = /[\p{L}\p{N}]+/gu

/** Runs of letters and digits. Plain text is split four times as fast without Unicode tables. */
export function wordsIn(text: string): readonly string[] {
  return text.match(hasPlainWords(text) ? PLAIN : ANY) ?? []
}

/** Equal for texts that differ only in punctuation and case. */
export function bareWords(text: string): string {
  return wordsIn(text.toLowerCase()).join(' ')
}

export function hasPlainWords(text: string): boolean {
  return PLAIN_TEXT.test(text)
}

/** Word n-grams as numbers, for comparing texts. Strings would cost more than the comparison. */
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

/** FNV-1a: collisions are too rare to make texts alike. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
