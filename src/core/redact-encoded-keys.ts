/** Private keys that were encoded once more, whole: base64 as Kubernetes and CI variables keep them, and hex. In linear time. */
import type { Found } from './redact-kinds.ts'
import { materialEnd } from './redact-private-keys.ts'

/** Words that every such file holds, and how it looks around them. */
const SIGNS = [
  { word: 'PRIVATE KEY', file: /PRIVATE KEY(?: BLOCK)?-{2,5}[\s\\nr]{1,6}[A-Za-z0-9+/=:,;.()\s-]{16}/ },
  { word: 'PuTTY-User-Key-File', file: /PuTTY-User-Key-File-\d: [\w-]{4,40}\s/ },
  { word: 'AGE-SECRET-KEY-', file: /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{10}/ },
]
const LONGEST = 131_072
const LOOK = 240

/** What a word is in base64, by the three ways in which it may lie there: only the characters that it alone decides. */
function inBase64(word: string): { readonly sign: string; readonly skip: number }[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.from(`${'\0'.repeat(offset)}${word}`)
      .toString('base64')
      .replace(/=+$/, '')
    const from = Math.ceil((offset * 8) / 6)
    const until = Math.floor(((offset + word.length) * 8) / 6)
    return { sign: whole.slice(from, until), skip: from }
  })
}

const BASE64_SIGNS = SIGNS.flatMap(({ word, file }) => inBase64(word).map((one) => ({ ...one, file })))
const HEX_SIGNS = SIGNS.flatMap(({ word, file }) => {
  const sign = Buffer.from(word).toString('hex')
  return [
    { sign, file },
    { sign: sign.toUpperCase(), file },
  ]
})

/** So many characters are looked at together. */
const BLOCK = 4
const ALL_SIGNS = [...BASE64_SIGNS, ...HEX_SIGNS].map(({ sign }) => sign)
/** Wherever a sign lies, one of its blocks lies at a multiple of this. */
const STEP = Math.min(...ALL_SIGNS.map((sign) => sign.length)) - BLOCK + 1
const BLOCKS = new Set(ALL_SIGNS.flatMap((sign) => Array.from({ length: sign.length - BLOCK + 1 }, (_, at) => blockAt(sign, at))))
/** The same by the first two characters, for a quick look. */
const PAIRS = new Uint8Array(1 << 14)
for (const sign of ALL_SIGNS) for (let at = 0; at + BLOCK <= sign.length; at++) PAIRS[pairAt(sign, at)] = 1

function blockAt(text: string, at: number): number {
  return pairAt(text, at) * (1 << 14) + pairAt(text, at + 2)
}

/** Two characters of ASCII as one number; above it, some number. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 7) ^ text.charCodeAt(at + 1)) & 0x3fff
}

/** False for almost every text without a sign, at the cost of a few of its characters. */
function mayHoldSign(text: string): boolean {
  for (let at = STEP - 1; at + BLOCK <= text.length; at += STEP)
    if (PAIRS[pairAt(text, at)] === 1 && BLOCKS.has(blockAt(text, at))) return true
  return false
}
const BASE64_BEFORE = /[\w+/=-]{0,400}$/
const HEX_BEFORE = /[0-9a-fA-F]{0,4000}$/
const HEX_RUN = /[0-9a-fA-F]+/y

const NONE: readonly Found[] = []

export function matchEncodedKeys(text: string): readonly Found[] {
  if (!mayHoldSign(text)) return NONE
  const found: Found[] = []
  for (const { sign, skip, file } of BASE64_SIGNS) {
    let floor = 0
    for (const at of placesOf(text, sign)) {
      if (at < floor) continue
      const head = text.slice(at - skip, at + LOOK).replace(/(?:[^\w+/=-]|\\n)[^\n]*$/s, '')
      if (!file.test(decoded(head))) continue
      const start = at - (BASE64_BEFORE.exec(text.slice(Math.max(0, at - 400), at))?.[0].length ?? 0)
      const end = materialEnd(text, start, { limit: Math.min(text.length, start + LONGEST), lead: '' })
      floor = end
      if (end > at) found.push({ kind: 'private-key', start, end })
    }
  }
  for (const { sign, file } of HEX_SIGNS)
    for (const at of placesOf(text, sign)) {
      if (at < (found.at(-1)?.end ?? 0)) continue
      HEX_RUN.lastIndex = at
      const run = HEX_RUN.exec(text)?.[0] ?? ''
      if (!file.test(Buffer.from(run.slice(0, 4 * LOOK), 'hex').toString('latin1'))) continue
      const start = at - (HEX_BEFORE.exec(text.slice(Math.max(0, at - 4000), at))?.[0].length ?? 0)
      found.push({ kind: 'private-key', start, end: at + run.length })
    }
  return found
}

function* placesOf(text: string, sign: string): Generator<number> {
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) yield at
}

/** In the three ways in which the beginning may be cut off: one of them is the file. */
function decoded(head: string): string {
  return ['', 'A', 'AA', 'AAA'].map((pad) => Buffer.from(pad + head, 'base64').toString('latin1')).join('\n')
}
