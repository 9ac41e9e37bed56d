/** Replaces every span that holds a credential or payment data by `[REDACTED:<kind>]`, in linear time. Never touches the text around it. */
import { matchAssignment, matchElement, matchFlag, matchSpokenPassword, nameBefore } from './redact-assignment.ts'
import { matchCell, matchHtmlCell, matchValueField } from './redact-cells.ts'
import { matchColumns } from './redact-columns.ts'
import { matchCommandFlag, matchNetrc } from './redact-commands.ts'
import { beginsShape, type Found, type Match, matchGlued, matchShape } from './redact-kinds.ts'
import { IBAN_STARTS, matchIban, matchNumber } from './redact-numbers.ts'
import { matchAuthorization, matchCookies, matchCurlUser, matchPrivateKey, matchUrlPassword } from './redact-structures.ts'
import { isAlnum } from './redact-values.ts'
import { matchWrapped } from './redact-wrapped.ts'
import { stripControls } from './text.ts'
import { hiddenViews } from './visible-text.ts'

/** A redacted span in UTF-16 units: `start` and `end` in the raw text, `outStart` and `outEnd` in the output. */
export interface RedactedSpan {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly outStart: number
  readonly outEnd: number
}

export interface Redaction {
  readonly text: string
  readonly spans: RedactedSpan[]
  /** The raw offset of an output offset; inside a replacement, the start of what it replaces. */
  toRaw(offset: number): number
}

/** The text with its secrets replaced; mode `off` returns it unchanged. */
export function redactSensitiveText(text: string, options: { mode: 'tools' | 'off' }): string {
  return options.mode === 'off' ? text : redact(text).text
}

/** The same value with the secrets in its strings replaced, at any depth. */
export function redactValues<T>(value: T): T {
  if (typeof value === 'string') return redact(value).text as T
  if (Array.isArray(value)) return value.map(redactValues) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValues(item)])) as T
}

/** The text as a reader sees it: without its secrets, then without escape sequences and control characters. In this order, because only they may show where a secret begins. */
export function redactVisible(text: string): string {
  const safe = redact(text).text
  const visible = stripControls(safe)
  return visible === safe ? safe : redact(visible).text
}

/** The text with its secrets replaced, where they were, and how to get from its offsets to those of the raw text. */
export function redact(text: string): Redaction {
  let redaction = apply(text, findAll(text))
  // Replacing a secret can make another one beside it recognisable; replacements are never scanned, so this ends.
  for (let round = 0; round < MAX_ROUNDS && redaction.spans.length > 0; round++) {
    const more = findAll(redaction.text)
    if (more.length === 0) break
    redaction = apply(text, merge(redaction, more))
  }
  return redaction
}

const MAX_ROUNDS = 8
const MARK = '[REDACTED:'
const MARK_PATTERN = /\[REDACTED:[a-z0-9-]{1,40}\]/y
/** What is left of a terminal colour when only its escape character was removed. */
const COLOUR = /\[\d{1,3}(?:;\d{1,3}){0,8}m/y
const BASE64_BODY = /;base64,[\w+/=-]*/y
const ESCAPE = /\\[nrt]|%[0-9A-Fa-f]{2}/y

const WORD = 1
const DASH = 2
const SEPARATOR = 3
const BRACKET = 4
const SEMICOLON = 5
const BACKSLASH = 6
const PERCENT = 7
const ANGLE = 8
const CELL = 9
const UNDERSCORE = 10

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
    '>': ANGLE,
    '|': CELL,
    _: UNDERSCORE,
    '\t': CELL,
  }
  return marks[String.fromCharCode(code) as keyof typeof marks] ?? 0
})

function anchorAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) return ANCHORS[code] as number
  // Lines of a table drawn on a terminal.
  return code === 0x2502 || code === 0x2503 || code === 0x2551 ? CELL : 0
}

/** The secrets of the text as it is, and of the text without its invisible characters. */
function findAll(text: string): Found[] {
  const columns = matchColumns(text)
  const found = columns.length === 0 ? scan(text) : inOrder([...columns, ...scan(text)])
  const views = hiddenViews(text)
  if (views.length === 0) return found
  const hidden = views.flatMap((view) => scan(view.text, view.seams).map(({ kind, start, end }) => ({ kind, ...view.toRaw(start, end) })))
  return inOrder([...hidden, ...found])
}

const NO_SEAMS: readonly number[] = []

/** The secrets in order, without overlaps. A word ends before a seam. */
function scan(text: string, seams = NO_SEAMS): Found[] {
  const found: Found[] = []
  const length = text.length
  let at = 0
  let next = 0
  let floor = 0
  while (at < length) {
    const anchor = anchorAt(text, at)
    if (anchor === 0) {
      at++
      continue
    }
    if (anchor === WORD && seams === NO_SEAMS && isPlainWord(text, at)) {
      while (++at < length && anchorAt(text, at) === WORD);
      continue
    }
    while (next < seams.length && (seams[next] as number) < at) next++
    const match =
      matchAt(text, at, anchor) ??
      (anchor === DASH || anchor === UNDERSCORE ? matchGlued(text, at, floor) : undefined) ??
      (seams[next] === at ? matchShape(text, at, true) : undefined)
    if (match !== undefined) {
      for (const item of match.found) found.push(item)
      at = match.next
      floor = at
    } else if (anchor === WORD) {
      const seam = seams[seams[next] === at ? next + 1 : next]
      while (++at < length && at !== seam && anchorAt(text, at) === WORD);
    } else at++
  }
  return found
}

/** 1 where two characters of ASCII may begin something that `matchWord` knows. */
const BEGINS = Uint8Array.from({ length: 128 * 128 }, (_, pair) => {
  const isNumber = pair >> 7 >= 0x30 && pair >> 7 <= 0x39
  return Number(isNumber || beginsShape(pair >> 7, pair & 127))
})
// 'the password is X', `value: X`, an account.
for (const start of ['pa', 'pA', 'Pa', 'PA', 'va', 'vA', 'Va', 'VA', ...IBAN_STARTS])
  BEGINS[start.charCodeAt(0) * 128 + start.charCodeAt(1)] = 1

/** True for the words that begin nothing, which most do: two characters tell. */
function isPlainWord(text: string, at: number): boolean {
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0
  return second < 128 && BEGINS[text.charCodeAt(at) * 128 + second] === 0
}

function matchAt(text: string, at: number, anchor: number): Match | undefined {
  switch (anchor) {
    case WORD:
      return isWordStart(text, at) ? matchWord(text, at) : matchShape(text, at, true)
    case DASH:
      return matchDash(text, at)
    case SEPARATOR:
      return matchSeparator(text, at)
    case BRACKET:
      return skip(MARK_PATTERN, text, at) ?? skip(COLOUR, text, at)
    case SEMICOLON:
      return skip(BASE64_BODY, text, at)
    case ANGLE:
      return matchElement(text, at) ?? matchHtmlCell(text, at)
    case CELL:
      return matchCell(text, at)
    case UNDERSCORE:
      return undefined
    default:
      // The word that follows an escape (`\\n`, `%3D`) begins after it.
      return skip(ESCAPE, text, at)
  }
}

/**
 * True where a credential can begin. '-' and '_', which credentials contain too, must not come before it, so that no part of the text is tried
 * twice; a single one at the start of a line or a word does not count.
 */
function isWordStart(text: string, at: number): boolean {
  const before = at === 0 ? 0 : text.charCodeAt(at - 1)
  if (before !== 0x2d && before !== 0x5f) return true
  const second = at === 1 ? 0 : text.charCodeAt(at - 2)
  return !(isAlnum(second) || second === 0x2d || second === 0x5f)
}

function matchWord(text: string, at: number): Match | undefined {
  const code = text.charCodeAt(at)
  const match = matchWrapped(text, at, matchShape(text, at))
  if (match !== undefined) return match
  if (code < 0x40) return matchNumber(text, at)
  return matchAfterWord(text, at, code) ?? (code < 0x60 ? matchIban(text, at) : undefined)
}

/** What a word tells about the text after it: 'the password is X', `password X` of a .netrc, `value: X`. */
function matchAfterWord(text: string, at: number, code: number): Match | undefined {
  const letter = code | 0x20
  if (letter === 0x70) return matchSpokenPassword(text, at) ?? matchNetrc(text, at)
  return letter === 0x76 ? matchValueField(text, at) : undefined
}

function matchDash(text: string, at: number): Match | undefined {
  const next = text[at + 1]
  if (next === 'u') return matchCurlUser(text, at)
  return next === '-' ? (matchPrivateKey(text, at) ?? matchCurlUser(text, at) ?? matchFlag(text, at)) : matchCommandFlag(text, at)
}

function matchSeparator(text: string, at: number): Match | undefined {
  if (text.startsWith('://', at)) return matchUrlPassword(text, at)
  const name = nameBefore(text, at)
  if (name.length < 2) return undefined
  const last = name.charCodeAt(name.length - 1) | 0x20
  if (last === 0x6e && /authorization$/i.test(name)) return matchAuthorization(text, at)
  if (last === 0x65 && /cookie$/i.test(name)) return matchCookies(text, at)
  return matchAssignment(text, at, name)
}

function skip(pattern: RegExp, text: string, at: number): Match | undefined {
  pattern.lastIndex = at
  const harmless = pattern.exec(text)?.[0]
  return harmless === undefined ? undefined : { found: [], next: at + harmless.length }
}

function apply(text: string, found: readonly Found[]): Redaction {
  const spans: RedactedSpan[] = []
  let out = ''
  let from = 0
  for (const { kind, start, end } of found) {
    out += text.slice(from, start)
    const outStart = out.length
    out += `${MARK}${kind}]`
    spans.push({ kind, start, end, outStart, outEnd: out.length })
    from = end
  }
  return { text: spans.length === 0 ? text : out + text.slice(from), spans, toRaw: (offset) => toRaw(spans, offset) }
}

/** Binary search: the last span that starts at or before the offset tells how far the two texts are apart. */
function toRaw(spans: readonly RedactedSpan[], offset: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((spans[middle]?.outStart ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const span = spans[low - 1]
  if (span === undefined) return offset
  return offset < span.outEnd ? span.start : span.end + (offset - span.outEnd)
}

/** What was found in the output, mapped back to the raw text, together with the earlier spans. */
function merge(redaction: Redaction, more: readonly Found[]): Found[] {
  const back = more.map(({ kind, start, end }) => ({ kind, start: redaction.toRaw(start), end: redaction.toRaw(end) }))
  return inOrder([...redaction.spans, ...back])
}

/** Sorted, without overlaps: a span that contains another one replaces it. */
function inOrder(found: readonly Found[]): Found[] {
  const all = found.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const merged: Found[] = []
  for (const item of all) {
    const last = merged.at(-1)
    if (last === undefined || item.start >= last.end) merged.push(item)
    else if (item.end > last.end) merged[merged.length - 1] = { ...last, end: item.end }
  }
  return merged
}
