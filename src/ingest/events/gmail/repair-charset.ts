/**
 * A mail that says UTF-8, or nothing, and is written in windows-1252; or says ISO-8859-1 or ASCII and is UTF-8. Where the text came out garbled, the
 * character set that its parts claim is replaced by the other one: the bytes know better than the header.
 */

/** All that is not of more than one byte a letter: such names are seldom wrong. */
const CLAIM = /(charset\s*=\s*"?)(?!iso-2022|shift|sjis|x-sjis|euc|gb|big5|ks_c|utf-?16|utf-?7|hz)([\w.:+-]+)/gi
const UNCLAIMED = /^(content-type[ \t]*:[ \t]*text\/(?:plain|html))(?![^\r\n]*charset)(?=[;\s])/gim

/** UTF-8 that was read as if every byte were a letter. */
const MOJIBAKE = /[\u00c3\u00c2\u00e2][\u0080-\u00bf\u20ac\u201a-\u2122]/

/** How a text is garbled: by the character set that it should have been read in. */
export function garbledBy(text: string): 'utf-8' | 'windows-1252' | undefined {
  if (text.includes('\ufffd')) return 'windows-1252'
  return MOJIBAKE.test(text) ? 'utf-8' : undefined
}

/** The mail with all its texts in that character set. */
export function inCharset(bytes: Uint8Array, charset: 'utf-8' | 'windows-1252'): Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const again = text.replace(CLAIM, (_, before: string) => `${before}${charset}`).replace(UNCLAIMED, `$1; charset=${charset}`)
  const headed = /^content-type[ \t]*:/im.test(again) ? again : `Content-Type: text/plain; charset=${charset}\r\n${again}`
  return Buffer.from(headed, 'latin1')
}

/** What windows-1252 has at 0x80 to 0x9f, where ISO-8859-1 has nothing that a person would write. */
const LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Quotation marks and dashes of windows-1252 that were read as control characters, as some decoders do. */
export function withLetters(text: string): string {
  return C1.test(text) ? text.replace(C1_ALL, (letter) => LETTERS[letter.charCodeAt(0) - 0x80] ?? letter) : text
}

const C1 = /[\u0080-\u009f]/
const C1_ALL = /[\u0080-\u009f]/g
