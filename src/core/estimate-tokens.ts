/**
 * Estimates tokens without the vocabulary, which takes longer to load than a search. Fitted on 150,000 words of people and agents. Sums are
 * off by less than 1 %, single sentences by 8 %, other languages by more.
 */

/** Tokens by length of the word; FURTHER per extra letter. */
const OF_LENGTH = [0, 1, 1.02, 1.1, 1.07, 1.06, 1.16, 1.11, 1.29, 1.48, 1.47] as const
const LONG = 1.9
const FURTHER = 0.43
/** Per character: with digits, nearly every pair is a token. */
const WITH_DIGITS = 0.65
/** Per accented letter or sign. A character of a script without spaces is one token. */
const BEYOND_ASCII = 0.5
/** For words that are too long for the tokenizer. */
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
