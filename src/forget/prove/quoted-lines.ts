/** Decodes quoted-printable; pieces may end anywhere. Pure. */

const EQUALS = 61
const SOFT_BREAK = /^=[ \t]*\r?\n/
const ESCAPE = /^=[0-9A-Fa-f]{2}/
/** More blanks than mailers put before a soft break. */
const LONGEST = 8
const OPEN = /=(?:[0-9A-Fa-f]|[ \t]{0,6}\r?)?$/
const TWO_ESCAPES = /=[0-9A-Fa-f]{2}=[0-9A-Fa-f]{2}/

/** One escape alone occurs in any program (`a=12`). */
export function isQuoted(piece: Buffer): boolean {
  return piece.includes('=\n') || piece.includes('=\r\n') || TWO_ESCAPES.test(piece.toString('latin1'))
}

export function quotedLines(): (piece: Buffer) => Buffer {
  let rest = ''
  return (piece) => {
    const text = rest + piece.toString('latin1')
    const end = OPEN.exec(text.slice(-LONGEST)) === null ? text.length : text.lastIndexOf('=')
    rest = text.slice(end)
    const out = Buffer.alloc(end)
    let length = 0
    for (let at = 0; at < end; at += 1) {
      const byte = text.charCodeAt(at)
      const next = byte === EQUALS ? text.slice(at, at + LONGEST) : ''
      const soft = SOFT_BREAK.exec(next)
      if (soft !== null) at += soft[0].length - 1
      else if (ESCAPE.test(next)) {
        out[length++] = Number.parseInt(next.slice(1, 3), 16)
        at += 2
      } else out[length++] = byte
    }
    return out.subarray(0, length)
  }
}
