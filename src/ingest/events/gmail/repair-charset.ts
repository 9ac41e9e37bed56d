/**
 * A mail that says UTF-8, or nothing, and is written in windows-1252; or says ISO-8859-1 and is UTF-8. Where the text came out garbled, the character
 * set that its parts claim is replaced by the other one: the bytes know better than the header.
 */

const CLAIM = /(charset\s*=\s*"?)(utf-?8|us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d|cp125\d|latin-?1)("?)/gi

/** Undefined where no other reading is in sight. */
export function repaired(bytes: Uint8Array): Buffer | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  let replaced = 0
  const again = text.replace(CLAIM, (_, before: string, charset: string, after: string) => {
    replaced += 1
    return `${before}${/^utf|ascii/i.test(charset) ? 'windows-1252' : 'utf-8'}${after}`
  })
  if (replaced > 0) return Buffer.from(again, 'latin1')
  // Nothing is claimed: what is not UTF-8 was written on a western desktop more often than anywhere else.
  const headed = text.replace(/^(content-type[ \t]*:[ \t]*text\/[\w-]+)(?=[;\s])/gim, '$1; charset=windows-1252')
  if (headed !== text) return Buffer.from(headed, 'latin1')
  return /^content-type[ \t]*:/im.test(text)
    ? undefined
    : Buffer.from(`Content-Type: text/plain; charset=windows-1252\r\n${text}`, 'latin1')
}
