/**
 * Text as readers see it: terminals, browsers and Mnemonic drop invisible characters, so secrets must be found without them. Every view
 * maps back to raw offsets.
 */
import { ESCAPE_SEQUENCE } from './text.ts'

export interface View {
  readonly text: string
  /** Positions of removed characters, ascending: a word may begin there. */
  readonly seams: readonly number[]
  toRaw(start: number, end: number): { start: number; end: number }
}

/** Controls, unusual line ends, Unicode ignorables and combining accents. Written out: Unicode properties match four times slower. */
const SINGLE =
  '\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u0300-\\u036f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff' +
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u20d0-\\u20ff\\u3164\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff\\uffa0\\ufff0-\\ufffb'
const PAIRS = '\\r(?!\\n)|\\udb40[\\udc00-\\udfff]|\\ud834[\\udd73-\\udd7a]|\\ud82f[\\udca0-\\udca3]'
/** A terminal colour that lost its escape character, or is written as text. */
const COLOUR = '\\[\\d{1,3}(?:;\\d{1,3}){0,8}m'
const INVISIBLE = `[${SINGLE}]|${PAIRS}|(?:\\\\{1,2}(?:x1[bB]|u001[bB]|033|e)|\\^\\[)?${COLOUR}`
const AT_SINGLE = new RegExp(`[${SINGLE}]`)
const AT_PAIR = new RegExp(PAIRS, 'y')
const AT_COLOUR = new RegExp(COLOUR, 'y')

const PLAIN = 1
const GONE = 2
const MAYBE_PAIR = 3
const MAYBE_COLOUR = 4
/** Cache by character code; 0 means unknown. */
const CHARACTERS = new Uint8Array(1 << 16)

function characterOf(code: number): number {
  const character = String.fromCharCode(code)
  const kind = AT_SINGLE.test(character)
    ? GONE
    : code === 0x0d || code === 0xd82f || code === 0xd834 || code === 0xdb40
      ? MAYBE_PAIR
      : character === '['
        ? MAYBE_COLOUR
        : PLAIN
  CHARACTERS[code] = kind
  return kind
}

/** One loop: patterns take four times as long, and most texts have none. */
function hasInvisible(raw: string): boolean {
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at)
    const kind = CHARACTERS[code] || characterOf(code)
    if (kind === PLAIN) continue
    if (kind === GONE || isAt(kind === MAYBE_PAIR ? AT_PAIR : AT_COLOUR, raw, at)) return true
  }
  return false
}

function isAt(pattern: RegExp, raw: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(raw)
}

/** Drops escape sequences with the text they carry. */
const JOINED_GAP = new RegExp(`${ESCAPE_SEQUENCE.source}|${INVISIBLE}`, 'g')
/** Keeps titles and links of escape sequences: they may hold a secret. */
const APART_GAP = new RegExp(`(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]|\\x1b[ -/]*[0-~]?|${INVISIBLE}`, 'g')

/** Readings of text with invisible characters. Joined: dropped. Apart: spaces. Struck over: backspace deletes, as on a terminal. */
export function hiddenViews(raw: string): View[] {
  if (!hasInvisible(raw)) return []
  const views = [viewOf(raw, JOINED_GAP, ''), viewOf(raw, APART_GAP, ' ')]
  return raw.includes('\b') ? [...views, struckOver(raw)] : views
}

export function viewOf(raw: string, gap: RegExp, filler: string | ((gap: string) => string)): View {
  const kept = new Kept(raw)
  let from = 0
  for (const match of raw.matchAll(gap)) {
    kept.add(from, match.index, typeof filler === 'string' ? filler : filler(match[0]))
    from = match.index + match[0].length
  }
  kept.add(from, raw.length, '')
  return kept.view()
}

/** Name of a secret before an encoded `=` or `:`. */
const ENCODED_NAME = /(?:pass|pwd|secret|token|key|auth|cookie)[\w-]{0,24}(?:%(?:25)?2[27])?%(?:25)?3[AD]/i
const ENCODED = /%(?:25)?(?:2[0-9A-F]|3[A-F]|40|5[BD]|7[BD])/gi

/** Decodes URL-encoded names and values, as a server does. */
export function decodedView(raw: string): View | undefined {
  if (!(raw.includes('%3') || raw.includes('%253')) || !ENCODED_NAME.test(raw)) return undefined
  const view = viewOf(raw, ENCODED, (sign) => String.fromCharCode(Number.parseInt(sign.slice(-2), 16)))
  return { ...view, seams: [] }
}

/** `_` over or under a letter underlines it: the letter is visible. */
function struckOver(raw: string): View {
  const shown: number[] = []
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] !== '\b') shown.push(at)
    else {
      const under = shown.at(-1)
      if (under === undefined || raw[under] === '\n') continue
      if (raw[at + 1] === '_' && raw[at + 2] !== '\b') at++
      else shown.pop()
    }
  }
  const kept = new Kept(raw)
  for (let i = 0; i < shown.length; ) {
    let next = i + 1
    while (next < shown.length && shown[next] === (shown[next - 1] as number) + 1) next++
    kept.add(shown[i] as number, (shown[next - 1] as number) + 1, '')
    i = next
  }
  return kept.view()
}

class Kept {
  readonly #raw: string
  readonly #pieces: string[] = []
  readonly #seams: number[] = []
  readonly #starts: number[] = []
  readonly #raws: number[] = []
  #length = 0

  constructor(raw: string) {
    this.#raw = raw
  }

  add(from: number, to: number, filler: string): void {
    if (this.#length > 0 && this.#seams.at(-1) !== this.#length) this.#seams.push(this.#length)
    this.#starts.push(this.#length)
    this.#raws.push(from)
    this.#pieces.push(this.#raw.slice(from, to), filler)
    this.#length += to - from + filler.length
  }

  view(): View {
    const [starts, raws] = [this.#starts, this.#raws]
    const rawOf = (offset: number) => {
      const i = lastAtMost(starts, offset)
      return (raws[i] ?? 0) + offset - (starts[i] ?? 0)
    }
    const endOf = (offset: number) => {
      const i = lastAtMost(starts, offset)
      return offset - (starts[i] ?? 0) < (this.#pieces[2 * i] as string).length ? 0 : (raws[i + 1] ?? 0)
    }
    return {
      text: this.#pieces.join(''),
      seams: this.#seams,
      // The last character may stand for a gap, which belongs to the span.
      toRaw: (start, end) => ({ start: rawOf(start), end: Math.max(rawOf(end - 1) + 1, endOf(end - 1)) }),
    }
  }
}

function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
