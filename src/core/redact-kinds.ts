/** Finds the credentials that are known by their own shape: the table of `redact-shapes.ts`. */
import type { Shape } from './redact-shape.ts'
import { SHAPES } from './redact-shapes.ts'
import { hasRandomRun, isAlnum, isMixedCase } from './redact-values.ts'

export interface Found {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** What was found in the text, and where the scan continues. */
export interface Match {
  readonly found: readonly Found[]
  readonly next: number
}

/** How documentation masks a key. */
const MASKED = /[xX*.]{8}/

/** The kinds of this table, for the documentation and its test. */
export const SHAPE_KINDS: readonly string[] = [...new Set(SHAPES.flatMap((shape) => shape.kind ?? []))]

interface Start {
  readonly literal: string
  readonly shape: Shape
  /** Its third character, which tells most words from it; undefined if it is shorter. */
  readonly third: number | undefined
  /** No space is so many characters behind its beginning. */
  readonly far: number
  /** Hardly anything but a credential begins so. */
  readonly isTelling: boolean
}

/** `AKIA`, `sk-`: shorter starts, and those that stay in place, also begin ordinary words. */
function isTelling(literal: string, { kind, keepsStart }: Shape): boolean {
  return kind !== undefined && keepsStart !== true && (literal.length > 3 || /^..[^A-Za-z0-9]$/.test(literal))
}

/** By the first two characters, so that an ordinary word costs one look-up. */
const BY_FIRST_TWO: (readonly Start[] | undefined)[] = new Array(128 * 128).fill(undefined)
/** 1 where one of them is telling. */
const TELLING = new Uint8Array(128 * 128)
for (const shape of SHAPES) {
  for (const literal of shape.starts) {
    const seconds = literal.length > 1 ? [literal.charCodeAt(1)] : Array.from({ length: 128 }, (_, code) => code)
    for (const second of seconds) {
      const slot = literal.charCodeAt(0) * 128 + second
      const start = {
        literal,
        shape,
        third: literal.length > 2 ? literal.charCodeAt(2) : undefined,
        far: shape.least === 0 ? 0 : literal.length + shape.least - 1,
        isTelling: isTelling(literal, shape),
      }
      BY_FIRST_TWO[slot] = [...(BY_FIRST_TWO[slot] ?? []), start]
      if (start.isTelling) TELLING[slot] = 1
    }
  }
}

/** The literals that shapes start with, for the filter of the scan. */
export const STARTS: readonly string[] = SHAPES.flatMap((shape) => shape.starts)

export function hasTellingStart(text: string, at: number): boolean {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  if (!(first < 128 && second < 128) || TELLING[first * 128 + second] === 0) return false
  return (BY_FIRST_TWO[first * 128 + second] ?? []).some(({ literal, isTelling }) => isTelling && text.startsWith(literal, at))
}

/** The longest name before a credential: in a longer run only its beginning is tried, so that nothing is read again and again. */
const LONGEST_RUN = 128

function isDeepInside(text: string, at: number): boolean {
  const floor = at - LONGEST_RUN
  for (let before = at - 1; before >= floor; before--) {
    const code = before < 0 ? 0 : text.charCodeAt(before)
    if (!isAlnum(code) && code !== 0x2d && code !== 0x5f) return false
  }
  return true
}

/** Starts that nothing else contains, even in the middle of a word: what came before them may have been removed. */
const UNMISTAKABLE = 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ sk-ant- sk-proj- glpat- xoxb- xoxp- npm_ dckr_pat_ sk_live_ rk_live_'
/** By the letter before their first '-' or '_', so that most of those characters cost one look-up. */
const BY_LETTER: ({ readonly literal: string; readonly before: number }[] | undefined)[] = new Array(128).fill(undefined)
for (const literal of UNMISTAKABLE.split(' ')) {
  const before = literal.search(/[-_]/)
  const slot = literal.charCodeAt(before - 1)
  BY_LETTER[slot] = [...(BY_LETTER[slot] ?? []), { literal, before }]
}

/** The credential whose start has its first '-' or '_' at `at`, joined to the word before it; not one that begins before `floor`. */
export function matchGlued(text: string, at: number, floor: number): Match | undefined {
  const candidates = at === 0 ? undefined : BY_LETTER[text.charCodeAt(at - 1)]
  if (candidates === undefined) return undefined
  for (const { literal, before } of candidates) {
    const start = at - before
    if (start < floor || start === 0 || !text.startsWith(literal, start) || !isAlnum(text.charCodeAt(start - 1))) continue
    const match = matchShape(text, start, true)
    if (match !== undefined) return match
  }
  return undefined
}

/** Behind a name, as in the branch `rotate-TOKEN`, a token of these kinds must be told from a hash by capitals, small letters and digits. */
function standsOut(literal: string, body: string): boolean {
  if (!/\d\D*\d/.test(body)) return false
  const isOnlyHere = literal.length > 3 && /[\d_.-]|^d(?:api|ose)/.test(literal) && !ORDINARY.test(literal)
  return isOnlyHere || (isMixedCase(body) && hasRandomRun(body, 16))
}

/** Literals that end ordinary names. */
const ORDINARY = /^(?:api|key|live|pat|prod|secret|test|web)(?:_|\b)/i

/** The credential of a known shape that begins at `at`: the start of a word, or else (`isInside`) of a part of one, as in `token_ghp_…`. */
export function matchShape(text: string, at: number, isInside = false): Match | undefined {
  const first = text.charCodeAt(at)
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 128
  const starts = first < 128 && second < 128 ? BY_FIRST_TWO[first * 128 + second] : undefined
  if (starts === undefined) return undefined
  const code = text.charCodeAt(at + 2)
  for (const { literal, shape, third, far } of starts) {
    if (
      (third !== undefined && third !== code) ||
      !(text.charCodeAt(at + far) > 0x20) ||
      !text.startsWith(literal, at) ||
      (isInside && isDeepInside(text, at))
    )
      continue
    const start = shape.keepsStart ? at + literal.length : at
    shape.pattern.lastIndex = start
    const body = shape.pattern.exec(text)?.[0]
    if (body === undefined || shape.accepts?.(shape.keepsStart ? body : body.slice(literal.length)) === false || MASKED.test(body)) continue
    if (isInside && shape.isWord === true && !standsOut(literal, body)) continue
    const end = start + body.length
    if (shape.kind === undefined) return { found: [], next: end }
    const inner = shape.isGeneric ? matchShape(text, start) : undefined
    return inner?.found[0]?.end === end ? inner : { found: [{ kind: shape.kind, start, end }], next: end }
  }
  return undefined
}
