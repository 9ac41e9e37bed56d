/** One to three adjacent words that may be a name. */

const MOST_WORDS = 80
const MOST = 180
const LONGEST = 3
const WORD = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._'-]*$/u

export function spokenNames(text: string): string[] {
  const words = text
    .split(/\s+/)
    .slice(0, MOST_WORDS)
    .map((token) =>
      token
        .replaceAll('’', "'")
        .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
        .replace(/'s$/i, ''),
    )
  const found: string[] = []
  for (const [at] of words.entries())
    for (let length = 1; length <= LONGEST; length++) {
      const some = words.slice(at, at + length)
      if (some.length === length && some.every((word) => WORD.test(word)) && some[0] !== '') found.push(some.join(' '))
    }
  return [...new Set(found)].slice(0, MOST)
}
