const GAP = 60
const MOST_STARTS = 200
const WORD = /[\p{L}\p{N}]+/gu

/** UTF-16 units. The whole message if the words are not found in order, as behind a redacted secret. */
export function placeOf(message: string, sentence: string): { start: number; end: number } {
  const words = sentence.match(WORD) ?? []
  const [first] = words
  if (first === undefined) return { start: 0, end: message.length }
  let start = message.indexOf(first)
  for (let tries = 0; start !== -1 && tries < MOST_STARTS; tries += 1) {
    const end = endOf(message, words, start)
    if (end !== undefined) return { start, end }
    start = message.indexOf(first, start + 1)
  }
  return { start: 0, end: message.length }
}

function endOf(message: string, words: readonly string[], start: number): number | undefined {
  let at = start
  for (const word of words) {
    const found = message.indexOf(word, at)
    if (found === -1 || found - at > GAP) return undefined
    at = found + word.length
  }
  return /^[.!?]/.test(message.slice(at)) ? at + 1 : at
}
