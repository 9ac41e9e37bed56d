/** The characters at which a secret, or what tells one, may begin. */
import { isAlnum } from './redact-values.ts'

export const WORD = 1
export const DASH = 2
export const SEPARATOR = 3
export const BRACKET = 4
export const SEMICOLON = 5
const BACKSLASH = 6
const PERCENT = 7
export const ANGLE = 8
export const CELL = 9
export const UNDERSCORE = 10
export const TILDE = 11
export const QUESTION = 12

/** What each ASCII character may begin. */
const ANCHORS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (isAlnum(code)) return WORD
  const marks = {
    '-': DASH,
    ':': SEPARATOR,
    '=': SEPARATOR,
    '[': BRACKET,
    ';': SEMICOLON,
    '\\': BACKSLASH,
    '%': PERCENT,
    '^': PERCENT,
    '>': ANGLE,
    '|': CELL,
    _: UNDERSCORE,
    '~': TILDE,
    '?': QUESTION,
    '\t': CELL,
  }
  return marks[String.fromCharCode(code) as keyof typeof marks] ?? 0
})

/** What the character at `at` may begin; 0 for nothing. */
export function anchorAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) return ANCHORS[code] as number
  // Lines of a table drawn on a terminal.
  if (code === 0x2192 || code === 0xff1a) return SEPARATOR
  // '密码是…'
  if (code === 0x662f) return SEPARATOR
  return code === 0x2502 || code === 0x2503 || code === 0x2551 ? CELL : 0
}
