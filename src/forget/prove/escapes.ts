/** Decodes only around escapes: `%41`, `\u0041`, `\u{41}`, `\x41`, `&#65;`. Pure. */

const ESCAPE = /%[0-9a-f]{2}|\\[ux][0-9a-f]{2}|\\u\{[0-9a-f]{1,6}\}|&#x?[0-9a-f]{1,6};/gi
const PERCENT = /%([0-9a-f]{2})/gi
const HEX_BYTE = /\\+x([0-9a-f]{2})/gi
/** One character may take two units. */
const UNITS = /(?:\\+u[0-9a-f]{4})+/gi
const BRACED = /\\+u\{([0-9a-f]{1,6})\}/gi
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi
/** Nested encodings. */
const MOST_TIMES = 3
/** Bytes per escaped byte, escaped twice. */
const WIDEST = 8
/** Finds longer texts only if their escapes are this close. */
const FARTHEST = 4096

export function escapedPassages(longest: number): (piece: Buffer) => Buffer[] {
  const near = Math.min(longest, FARTHEST)
  let rest = ''
  return (piece) => {
    const text = rest + piece.toString('latin1')
    rest = text.slice(-near * WIDEST)
    return passagesOf(text, near).flatMap(decodings)
  }
}

function passagesOf(text: string, near: number): string[] {
  const passages: string[] = []
  let [from, to] = [0, -1]
  for (const { index } of text.matchAll(ESCAPE)) {
    if (to === -1 || index - near > to) {
      if (to !== -1) passages.push(text.slice(from, to))
      from = Math.max(0, index - near)
    }
    to = index + near + WIDEST
  }
  return to === -1 ? passages : [...passages, text.slice(from, to)]
}

function decodings(passage: string): Buffer[] {
  const found: Buffer[] = []
  let text = passage
  for (let times = 0; times < MOST_TIMES; times += 1) {
    const decoded = decode(text)
    if (decoded === text) break
    text = decoded
    found.push(Buffer.from(text, 'latin1'))
    if (text.includes('+')) found.push(Buffer.from(text.replaceAll('+', ' '), 'latin1'))
  }
  return found
}

function decode(text: string): string {
  return text
    .replace(PERCENT, (_, hex: string) => byte(hex))
    .replace(HEX_BYTE, (_, hex: string) => byte(hex))
    .replace(UNITS, (run) =>
      bytesOf(
        String.fromCharCode(
          ...run
            .split(/\\+u/i)
            .slice(1)
            .map((hex) => Number.parseInt(hex, 16)),
        ),
      ),
    )
    .replace(BRACED, (whole, hex: string) => character(Number.parseInt(hex, 16)) ?? whole)
    .replace(
      REFERENCE,
      (whole, hex: string | undefined, decimal: string) =>
        character(hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)) ?? whole,
    )
}

function byte(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function character(point: number): string | undefined {
  return point > 0x10ffff ? undefined : bytesOf(String.fromCodePoint(point))
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
