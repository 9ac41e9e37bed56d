/** Replaces every span that holds a credential or payment data by `[REDACTED:<kind>]`, in linear time. Never touches the text around it. */
import { ANGLE, anchorAt, BRACKET, CELL, DASH, QUESTION, SEMICOLON, SEPARATOR, TILDE, UNDERSCORE, WORD } from './redact-anchors.ts'
import { matchAssignment, matchDefault, matchFlag, nameBefore, secretName, variableAround } from './redact-assignment.ts'
import { matchCell, matchElement, matchHtmlCell, matchValueField } from './redact-cells.ts'
import { matchColumns } from './redact-columns.ts'
import { matchCommandFlag, matchNetrc, matchStored } from './redact-commands.ts'
import { matchEncodedKeys } from './redact-encoded-keys.ts'
import { type Found, type Match, matchGlued, matchShape } from './redact-kinds.ts'
import { mayNameSecret } from './redact-name-letters.ts'
import { matchIban, matchNumber } from './redact-numbers.ts'
import { matchBareLogin, matchPair, matchPrefixed } from './redact-pairs.ts'
import { ANYTHING, beginsAt, FOREIGN, NUMBER, RULE, SHAPE } from './redact-plain-words.ts'
import { matchBareBegin, matchKeyEnd, matchPrivateKey, matchPuttyKey } from './redact-private-keys.ts'
import { matchForeignPassword, matchSpokenLogin, matchSpokenPassword, matchSpokenToken, namesPassword } from './redact-spoken.ts'
import {
  LONG_WORD,
  matchAzureKey,
  matchCredential,
  matchLongWord,
  matchPassedOn,
  matchStatement,
  matchSuffix,
} from './redact-statements.ts'
import {
  matchAuthorization,
  matchCookies,
  matchCurlCookies,
  matchCurlUser,
  matchParameter,
  matchPlaced,
  matchUrlPassword,
} from './redact-structures.ts'
import { isAlnum, isDigit } from './redact-values.ts'
import { matchWrapped } from './redact-wrapped.ts'
import { stripControls } from './text.ts'
import { unprefixedView } from './unprefixed-text.ts'
import { decodedView, hiddenViews, type View } from './visible-text.ts'

/** Part of the identity of whatever is made of redacted text: a rule that changes what is redacted makes it anew. */
export const REDACTION_VERSION = 'redact-11'

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
/** `^I` is a tab of `cat -A`. */
const ESCAPE = /\\(?:[nrt]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|0[0-7]{2})|%(?:25)?[0-9A-Fa-f]{2}|\^I/y

/** The secrets of the text as it is, and of the text without its invisible characters. */
function findAll(text: string): Found[] {
  const found = scanAll(text)
  const unprefixed = unprefixedView(text)
  const views = hiddenViews(text)
  const decoded = decodedView(text)
  if (decoded !== undefined) views.push(decoded)
  if (unprefixed === undefined && views.length === 0) return found
  const hidden = views.flatMap((view) => inRaw(view, scan(view.text, view.seams)))
  const behind = unprefixed === undefined ? [] : inRaw(unprefixed, scanAll(unprefixed.text))
  return inOrder([...hidden, ...behind, ...found])
}

function inRaw(view: View, found: readonly Found[]): Found[] {
  return found.map(({ kind, start, end }) => ({ kind, ...view.toRaw(start, end) }))
}

function scanAll(text: string): Found[] {
  const whole = [...matchColumns(text), ...matchEncodedKeys(text)]
  return whole.length === 0 ? scan(text) : inOrder([...whole, ...scan(text)])
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
    const begins = anchor !== WORD || seams !== NO_SEAMS ? ANYTHING : beginsAt(text, at) | (isBehindForeign(text, at) ? FOREIGN : 0)
    if (begins === 0) {
      const start = at
      while (++at < length && anchorAt(text, at) === WORD);
      const match = matchWholeWord(text, start, at)
      if (match !== undefined) {
        found.push(...match.found)
        at = match.next
        floor = at
      }
      continue
    }
    while (next < seams.length && (seams[next] as number) < at) next++
    const match =
      (anchor === WORD ? matchWordAt(text, at, { floor, begins }) : matchAt(text, at, anchor, floor)) ??
      (anchor === DASH || anchor === UNDERSCORE
        ? (matchGlued(text, at, floor) ?? matchSuffix(text, at, floor) ?? matchPrefixed(text, at, floor))
        : undefined) ??
      (anchor === DASH || anchor === SEPARATOR || anchor === CELL ? matchPair(text, at, floor) : undefined) ??
      (seams[next] === at ? matchShape(text, at, true) : undefined)
    if (match !== undefined) {
      for (const item of match.found) found.push(item)
      at = match.next
      // A key may lie before the escape that was skipped.
      if (match.found.length > 0) floor = at
    } else if (anchor === WORD) {
      const start = at
      const seam = seams[seams[next] === at ? next + 1 : next]
      while (++at < length && at !== seam && anchorAt(text, at) === WORD);
      const match = matchWholeWord(text, start, at)
      if (match !== undefined) {
        found.push(...match.found)
        at = match.next
        floor = at
      }
    } else at++
  }
  return found
}

/** Arrows and boxes, as tools put them before lines, are no letters. */
function isBehindForeign(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 2)
  return code > 127 && !(code >= 0x2190 && code < 0x2c00)
}

/** What a word tells by its end or its length, in one run of letters and digits. */
function matchWholeWord(text: string, start: number, end: number): Match | undefined {
  if (end - start >= LONG_WORD) return matchLongWord(text, start, end)
  if (end - start < SHORTEST_CREDENTIAL) return undefined
  const last = text.charCodeAt(end - 1) | 0x20
  return last === 0x6c || last === 0x73 ? matchCredential(text, start, end) : undefined
}

const SHORTEST_CREDENTIAL = 'credential'.length

interface Begun {
  readonly floor: number
  /** Of `beginsAt`. */
  readonly begins: number
}

function matchWordAt(text: string, at: number, begun: Begun): Match | undefined {
  if (isWordStart(text, at)) return matchWord(text, at, begun)
  return (begun.begins & SHAPE) === 0 ? undefined : matchShape(text, at, true)
}

function matchAt(text: string, at: number, anchor: number, floor: number): Match | undefined {
  const next = text.charCodeAt(at + 1)
  switch (anchor) {
    case DASH:
      return matchDash(text, at, floor)
    case SEPARATOR:
      return matchSeparator(text, at) ?? (text.charCodeAt(at) === 0x3d ? matchAzureKey(text, at, floor) : undefined)
    case BRACKET:
      return next === 0x52 ? skip(MARK_PATTERN, text, at) : isDigit(next) ? skip(COLOUR, text, at) : undefined
    case SEMICOLON:
      return next === 0x62 ? skip(BASE64_BODY, text, at) : undefined
    case ANGLE:
      return next > 0x20 && next !== 0x3e ? (matchElement(text, at) ?? matchHtmlCell(text, at)) : undefined
    case CELL:
      return matchCell(text, at) ?? (text.charCodeAt(at) === 0x7c ? (matchDefault(text, at) ?? matchPassedOn(text, at, floor)) : undefined)
    case QUESTION:
      return next === 0x3f ? matchDefault(text, at) : undefined
    case UNDERSCORE:
      return undefined
    case TILDE:
      return matchSuffix(text, at, floor)
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
  return !(isAlnum(second) || second === 0x2d || second === 0x5f) || (before === 0x2d && isBehindNumber(text, at - 1))
}

/** Behind `file-12-` or `12-`, as grep prints the lines around a hit. */
function isBehindNumber(text: string, dash: number): boolean {
  let first = dash
  while (first > dash - 7 && isDigit(text.charCodeAt(first - 1))) first--
  const before = first === 0 ? 0x0a : text.charCodeAt(first - 1)
  return first < dash && (before === 0x2d || before === 0x0a)
}

function matchWord(text: string, at: number, { floor, begins }: Begun): Match | undefined {
  const code = text.charCodeAt(at)
  const match = (begins & SHAPE) === 0 ? undefined : matchWrapped(text, at, matchShape(text, at))
  if (match !== undefined) return match
  if ((begins & FOREIGN) !== 0 && isBehindForeign(text, at)) {
    const foreign = matchForeignPassword(text, at)
    if (foreign !== undefined) return foreign
  }
  if (code < 0x40) return matchNumber(text, at)
  return (
    ((begins & RULE) === 0 ? undefined : matchAfterWord(text, at, floor)) ??
    ((begins & NUMBER) !== 0 && code < 0x60 ? matchIban(text, at) : undefined)
  )
}

/** What a word tells about the text after it: 'the password is X', `password X` of a .netrc, `value: X`, a statement. */
function matchAfterWord(text: string, at: number, floor: number): Match | undefined {
  const letter = text.charCodeAt(at) | 0x20
  if (letter === 0x70)
    return (
      matchSpokenPassword(text, at) ??
      matchNetrc(text, at) ??
      matchPuttyKey(text, at) ??
      matchValueField(text, at) ??
      matchStatement(text, at)
    )
  if (letter === 0x63 || letter === 0x6c) return matchSpokenLogin(text, at) ?? matchStatement(text, at)
  if (letter === 0x76) return matchValueField(text, at) ?? matchStatement(text, at)
  if (letter === 0x62) return matchBareBegin(text, at) ?? matchStatement(text, at)
  if (letter === 0x74 || letter === 0x73 || letter === 0x6b) return matchSpokenToken(text, at) ?? matchStatement(text, at)
  return (letter === 0x61 ? matchSuffix(text, at, floor) : undefined) ?? matchStatement(text, at)
}

function matchDash(text: string, at: number, floor: number): Match | undefined {
  const next = text[at + 1]
  // `password <- "X"` of R.
  if (text.charCodeAt(at - 1) === 0x3c) return matchAssignment(text, at - 1, nameBefore(text, at - 1))
  if (next === '-') {
    return (
      matchPrivateKey(text, at) ??
      matchKeyEnd(text, at, floor) ??
      matchCurlUser(text, at) ??
      matchCurlCookies(text, at) ??
      matchStored(text, at) ??
      matchFlag(text, at)
    )
  }
  if (next === 'b') return matchCurlCookies(text, at)
  if (next === 'P') return matchPuttyKey(text, at + 1) ?? matchCommandFlag(text, at)
  const code = text.charCodeAt(at + 1)
  return (isSmall(code) || code === 0x55 ? matchCurlUser(text, at) : undefined) ?? matchCommandFlag(text, at)
}

function matchSeparator(text: string, at: number): Match | undefined {
  if (text.startsWith('://', at)) return matchUrlPassword(text, at)
  const placed = matchPlaced(text, at) ?? matchParameter(text, at)
  if (placed !== undefined) return placed
  if (text.charCodeAt(at) === 0x662f) return namesPassword(text, at) ? matchForeignPassword(text, at + 1) : undefined
  const anchored = anchorName(text, at)
  if (anchored !== undefined) return matchAssignment(text, at, anchored)
  if (!mayNameSecret(text, at)) return text.charCodeAt(at) === 0x3a ? matchNamedLogin(text, at) : undefined
  const found = nameBefore(text, at)
  const name = found === 'default' ? (variableAround(text, at) ?? found) : found
  // Most names are ASCII: only what a letter of another alphabet stands close to is looked up.
  if (mayBeForeign(text, at, name) && namesPassword(text, at)) return matchAssignment(text, at, 'password')
  if (name.length < 2) return undefined
  const last = name.charCodeAt(name.length - 1) | 0x20
  if (last === 0x6e && /authorization$/i.test(name)) return matchAuthorization(text, at)
  if (last === 0x65 && /cookie$/i.test(name)) return matchCookies(text, at)
  return matchAssignment(text, at, name) ?? (text.charCodeAt(at) === 0x3a ? matchBareLogin(text, at) : undefined)
}

/** A name of two characters at least; the letter of an escape is none of it. */
const matchNamedLogin = (text: string, at: number) => {
  const login = matchBareLogin(text, at)
  return login === undefined || nameBefore(text, at).length < 2 ? undefined : login
}

const isSmall = (code: number) => code >= 0x61 && code <= 0x7a

const YAML_ANCHOR = /: &([\w-]{2,40})[ \t]/y

/** The name of an anchor of YAML, where it says more than the key before it: `x: &db-password …`. */
function anchorName(text: string, at: number): string | undefined {
  if (text.charCodeAt(at + 2) !== 0x26) return undefined
  YAML_ANCHOR.lastIndex = at
  const name = YAML_ANCHOR.exec(text)?.[1]
  return name === undefined || secretName(name) === undefined ? undefined : name
}

function mayBeForeign(text: string, at: number, name: string): boolean {
  if (name === 'passe' || name === 'senha') return true
  for (let i = at - 1; i >= at - 5 && i >= 0; i--) if (text.charCodeAt(i) > 127) return true
  return false
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
