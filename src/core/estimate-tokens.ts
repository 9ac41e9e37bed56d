/**
 * What a text costs to read, in tokens of the embedded model, without its vocabulary: reading that takes longer than a search. The means of
 * 150,000 words of people and coding agents; sums of sentences are off by less than 1 %, a single sentence by 8 % on average, in other languages than English by more. Pure.
 */

/** A word of so many letters, and each further letter of a long one. */
const OF_LENGTH = [0, 1, 1.02, 1.1, 1.07, 1.06, 1.16, 1.11, 1.29, 1.48, 1.47] as const
const LONG = 1.9
const FURTHER = 0.43
/** With digits in it nearly every pair of characters is a token of its own. */
const WITH_DIGITS = 0.65
/** Letters with accents and signs; characters of scripts without spaces are a token each. */
const BEYOND_ASCII = 0.5
/** The tokenizer knows no word of more than a hundred letters; to whoever reads it, it is as long as it is. */
const CHARACTERS_PER_TOKEN = 8

export function estimateTokens(text: string): number {
  let tokens = 0
  let length = 0
  let digits = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isDigit = code >= 48 && code <= 57
    if (isDigit || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      length++
      if (isDigit) digits = true
      continue
    }
    if (length > 0) tokens += ofWord(length, digits)
    length = 0
    digits = false
    if (code > 127) tokens += code >= 0x2e80 ? 1 : BEYOND_ASCII
    else if (code > 32) tokens++
  }
  if (length > 0) tokens += ofWord(length, digits)
  return Math.max(Math.round(tokens), Math.ceil(text.length / CHARACTERS_PER_TOKEN))
}

function ofWord(length: number, digits: boolean): number {
  if (digits) return Math.max(1, length * WITH_DIGITS)
  return OF_LENGTH[length] ?? LONG + FURTHER * (length - OF_LENGTH.length)
}
