/**
 * Declared charsets may be wrong: windows-1252 declared as UTF-8, or UTF-8 as Latin-1 or ASCII. If the text is garbled, the mail is parsed
 * again with the other one.
 */

/** Single-byte charsets and UTF-8; multi-byte names are rarely wrong. */
const CLAIM = /(charset\s*=\s*"?)(?!iso-2022|shift|sjis|x-sjis|euc|gb|big5|ks_c|utf-?16|utf-?7|hz)([\w.:+-]+)/gi
const UNCLAIMED = /^(content-type[ \t]*:[ \t]*text\/(?:plain|html))(?![^\r\n]*charset)(?=[;\s])/gim

const MOJIBAKE = /[\u00c3\u00c2\u00e2][\u0080-\u00bf\u20ac\u201a-\u2122]/

/** Returns the charset that should have been used. */
export function garbledBy(text: string): 'utf-8' | 'windows-1252' | undefined {
  if (text.includes('\ufffd')) return 'windows-1252'
  return MOJIBAKE.test(text) ? 'utf-8' : undefined
}

export function inCharset(bytes: Uint8Array, charset: 'utf-8' | 'windows-1252'): Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const again = text.replace(CLAIM, (_, before: string) => `${before}${charset}`).replace(UNCLAIMED, `$1; charset=${charset}`)
  const headed = /^content-type[ \t]*:/im.test(again) ? again : `Content-Type: text/plain; charset=${charset}\r\n${again}`
  return Buffer.from(headed, 'latin1')
}

const LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Maps C1 control characters to windows-1252 punctuation. */
export function withLetters(text: string): string {
  return C1.test(text) ? text.replace(C1_ALL, (letter) => LETTERS[letter.charCodeAt(0) - 0x80] ?? letter) : text
}

const C1 = /[\u0080-\u009f]/
const C1_ALL = /[\u0080-\u009f]/g
