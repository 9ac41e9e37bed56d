/** Which words begin nothing that a rule knows: most, and four characters tell. */
import { STARTS } from './redact-kinds.ts'
import { IBAN_STARTS } from './redact-numbers.ts'
import { WORD_STARTS } from './redact-statements.ts'

/** 1 where a first character alone may begin something: numbers, and the tokens of Discord. */
const ALWAYS = new Uint8Array(128)
for (const character of '0123456789') ALWAYS[character.charCodeAt(0)] = 1
/** What three characters of ASCII may begin that `matchWord` knows: 2 anything, 1 only with one of the fourth characters of `GOES_ON`. */
const BEGINS = new Uint8Array(1 << 16)
const GOES_ON = new Uint8Array(1 << 16)
/** Different characters share a place at times: the filter lets too much through, never too little. */
const placeOf = (first: number, second: number, third: number) => ((first << 9) ^ (second << 5) ^ third) & 0xffff
const fourthOf = (place: number, fourth: number) => (place ^ (fourth * 0x1d3)) & 0xffff

for (const start of [...STARTS, ...WORD_STARTS, ...IBAN_STARTS.flatMap((country) => [...'0123456789'].map((digit) => country + digit))]) {
  const [first = 0, second, third, fourth] = [0, 1, 2, 3].map((i) => (i < start.length ? start.charCodeAt(i) : undefined))
  const thirds = third === undefined ? Array.from({ length: 128 }, (_, code) => code) : [third]
  if (second === undefined) ALWAYS[first] = 1
  else {
    for (const place of thirds.map((code) => placeOf(first, second, code))) {
      BEGINS[place] = fourth === undefined ? 2 : Math.max(1, BEGINS[place] as number)
      if (fourth !== undefined) GOES_ON[fourthOf(place, fourth)] = 1
    }
  }
}

/** True for the words that begin nothing, which most do: four characters tell. */
export function isPlainWord(text: string, at: number): boolean {
  const first = text.charCodeAt(at)
  if (ALWAYS[first] === 1) return false
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0
  const third = at + 2 < text.length ? text.charCodeAt(at + 2) : 0
  if (second > 127 || third > 127) return false
  const place = placeOf(first, second, third)
  const begins = BEGINS[place] as number
  if (begins !== 1) return begins === 0
  const fourth = at + 3 < text.length ? text.charCodeAt(at + 3) : 0
  return fourth < 128 && GOES_ON[fourthOf(place, fourth)] === 0
}
