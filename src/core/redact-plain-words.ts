/** Which words begin nothing that a rule knows, as most do. Told by the first characters that the rules themselves can begin with. */
import { VALUE_FIELD } from './redact-cells.ts'
import { NETRC_PASSWORD } from './redact-commands.ts'
import { headsOf } from './redact-heads.ts'
import { STARTS } from './redact-kinds.ts'
import { IBAN_STARTS } from './redact-numbers.ts'
import { BARE_BEGIN, PUTTY } from './redact-private-keys.ts'
import { SPOKEN_PATTERNS } from './redact-spoken.ts'
import { STATEMENT_PATTERNS } from './redact-statements.ts'

/** A word may begin a credential of a known shape, a number of an account, or a rule that goes by words. */
export const SHAPE = 1
export const NUMBER = 2
export const RULE = 4
/** It stands behind a letter of another alphabet. */
export const FOREIGN = 8
export const ANYTHING = SHAPE | NUMBER | RULE | FOREIGN

/** The rules that begin with a word, in any spelling. */
export const WORD_PATTERNS: readonly RegExp[] = [...STATEMENT_PATTERNS, ...SPOKEN_PATTERNS, VALUE_FIELD, NETRC_PASSWORD, PUTTY, BARE_BEGIN]

const MOST_NODES = 1 << 13

/** A tree of beginnings: `next` leads from a place by a character to another, 0 to nowhere. */
class Tree {
  readonly #next = new Uint16Array(MOST_NODES * 128)
  readonly #ends = new Uint8Array(MOST_NODES)
  #nodes = 1

  add(codes: readonly number[]): void {
    let node = 0
    for (const code of codes) {
      const slot = node * 128 + code
      if (this.#next[slot] === 0) this.#next[slot] = this.#nodes++
      node = this.#next[slot] as number
    }
    this.#ends[node] = 1
  }

  /** True if one of the beginnings is at `at`, or a letter of another alphabet is before its end. */
  isAt(text: string, at: number, fold: number): boolean {
    let node = 0
    for (let i = at; ; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      if (code > 127) return true
      node = this.#next[node * 128 + (code | fold)] as number
      if (node === 0) return false
      if (this.#ends[node] === 1) return true
    }
  }
}

/** Small and capital letters are the same with this bit; signs that it makes the same only let more words through. */
const ANY_CASE = 0x20

const shapes = new Tree()
const rules = new Tree()
/** What a character alone, or three together, may begin: a first look, where different characters share a place at times. */
const ALWAYS = new Uint8Array(128)
const BEGINS = new Uint8Array(1 << 16)
const placeOf = (first: number, second: number, third: number) => ((first << 9) ^ (second << 5) ^ third) & 0xffff

const codesOf = (head: string, fold: number) => [...head].map((character) => character.charCodeAt(0) | fold)

function allow(kind: number, [first = 0, second, third]: readonly number[]): void {
  if (second === undefined) ALWAYS[first] = (ALWAYS[first] as number) | kind
  else
    for (const code of third === undefined ? Array.from({ length: 128 }, (_, code) => code) : [third]) {
      const place = placeOf(first, second, code)
      BEGINS[place] = (BEGINS[place] as number) | kind
    }
}

const spellings = (code: number) => Array.from({ length: 128 }, (_, one) => one).filter((one) => (one | ANY_CASE) === code)

for (const start of STARTS) {
  shapes.add(codesOf(start, 0))
  allow(SHAPE, codesOf(start, 0))
}
for (const head of WORD_PATTERNS.flatMap(headsOf)) {
  const codes = codesOf(head, ANY_CASE)
  rules.add(codes)
  for (const first of spellings(codes[0] ?? 0))
    for (const second of spellings(codes[1] ?? 0))
      for (const third of codes.length > 2 ? spellings(codes[2] as number) : [undefined])
        allow(RULE, third === undefined ? [first, second] : [first, second, third])
}
for (const country of IBAN_STARTS) for (const digit of '0123456789') allow(NUMBER, codesOf(country + digit, 0))

for (const digit of '0123456789') allow(NUMBER, codesOf(digit, 0))

/** What the word at `at` may begin: 0 for most. */
export function beginsAt(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0
  const third = at + 2 < text.length ? text.charCodeAt(at + 2) : 0
  if (second > 127 || third > 127) return ANYTHING
  const may = (ALWAYS[first] as number) | (BEGINS[placeOf(first, second, third)] as number)
  if (may === 0) return 0
  return (
    (may & NUMBER) |
    ((may & SHAPE) !== 0 && shapes.isAt(text, at, 0) ? SHAPE : 0) |
    ((may & RULE) !== 0 && rules.isAt(text, at, ANY_CASE) ? RULE : 0)
  )
}
