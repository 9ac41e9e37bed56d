/** ASCII cases differ in one bit, so each base64 character is one of a few. Much faster than decoding every id. Pure. */

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const OTHER_CASE = 0x20
/** Fewer characters match anything. */
const FEWEST_SIGNS = 4

export function base64InAnyCase(words: Iterable<string>): RegExp | undefined {
  const patterns: string[] = []
  for (const word of words) {
    const bytes = [...Buffer.from(word, 'utf8')]
    for (const before of [0, 1, 2]) {
      const signs = signsOf(bytes, before)
      if (signs.length < FEWEST_SIGNS) return undefined
      patterns.push(signs.join(''))
    }
  }
  return patterns.length === 0 ? undefined : new RegExp([...new Set(patterns)].join('|'))
}

/** Only characters that the word's bytes alone determine. */
function signsOf(bytes: readonly number[], before: number): string[] {
  const last = (before + bytes.length) * 8
  const signs: string[] = []
  for (let bit = Math.ceil((before * 8) / 6) * 6; bit + 6 <= last; bit += 6) {
    const at = Math.floor(bit / 8)
    const [first, second] = [cases(bytes[at - before]), cases(bytes[at + 1 - before])]
    const values = first.flatMap((one) => second.map((two) => (((one << 8) | two) >> (10 - (bit % 8))) & 63))
    signs.push(`[${[...new Set(values)].map(sign).join('')}]`)
  }
  return signs
}

function cases(byte = 0): number[] {
  const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
  return isLetter ? [byte, byte ^ OTHER_CASE] : [byte]
}

function sign(value: number): string {
  return value === 62 ? '+\\-' : value === 63 ? '/_' : (SIGNS[value] as string)
}
