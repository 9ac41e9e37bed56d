/** The words of a text: runs of letters and digits. Pure. */

const ASCII = /^[\u0000-\u007f]*$/
const PLAIN = /[A-Za-z0-9]+/g
const ANY = /[\p{L}\p{N}]+/gu

/** Most text is plain, and cut four times as fast without the tables of Unicode. */
export function wordsIn(text: string): readonly string[] {
  return text.match(ASCII.test(text) ? PLAIN : ANY) ?? []
}
