/** Strips prefixes of tools from lines, to find secrets of several lines: line numbers, diff marks, quotes, boxes, times. */
import { type View, viewOf } from './visible-text.ts'

const NUMBER = '[ \\t]{0,10}L?\\d{1,7}(?:→|\\t| ?[│┃║|] ?|[:-] ?)'
/** `file:12:` and `file-12-` of grep, `pod | ` of compose. */
const NAME = '[\\w./@~+-]{1,120}(?:[:-]\\d{1,7}[:-]| {1,20}\\| )'
const MARKS = '[ \\t]{0,8}(?:[│┃║|] ?|(?:> ?){1,4}|[+-](?!\\+\\+|--))'
const TIME = '\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[.,\\d]{0,12}(?:Z|[+-]\\d\\d:?\\d\\d)?\\]? ?'
const PREFIX = new RegExp(`^(?:${TIME}|${NUMBER}|${NAME}|${MARKS})`, 'gm')
const IS_PREFIXED = new RegExp(`(?:${TIME}|${NUMBER}|${NAME}|${MARKS})`, 'y')

/** Secrets of several lines that the end of their first line does not show: .netrc, name and value, a Kubernetes Secret. */
const SEVERAL_LINES =
  /\b(?:machine[ \t]+\S{1,256}[ \t]*\r?\n|default[ \t]*(?:\r?\n|login)|(?:name|key)["']?[ \t]?[:=][^\n]{0,60}(?:pass|pwd|secret|token|key)[^\n]{0,40}\n|kind: *Secret\b)/i
/** Rules under a table's head. */
const RULERS = ['|--', '| --', '|:--', '| :--', '-+-']

/** Line ends that continue below: a value below its name, a command, a token. */
const NAME_END = /(?:passw[a-z]{2,3}|passphrase|pass|pwd|secret|token|key)["'`]?[ \t]?[:=][ \t|>+-]{0,6}$/i
const COMMAND_END = /\b(?:login|sshpass|mysql\w*)[^\n]{0,120}\\$/i
const TOKEN_END = /(?:gh[pousr]_|_pat_|sk-|glpat-|xox[bp]-|npm_|_live_|AKIA|ASIA|AIza)[\w-]*\\?$/i

const LONGEST_NAME = 24
const LONGEST_COMMAND = 200
const MOST_SIGNS = 6
const isColon = (code: number) => code === 0x3a || code === 0x3d

const SIGN = 1
const WORD = 2
/** Every token prefix has a dash or an underscore, or both `a` and `i`. */
const JOINS = 4
const HAS_A = 8
const HAS_I = 16
/** What a character at a line end may belong to. */
const ENDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const kinds = { '-': JOINS, _: JOINS, a: HAS_A, i: HAS_I }
  return (
    (' \t|>+-'.includes(character) ? SIGN : 0) |
    (/[\w-]/.test(character) ? WORD : 0) |
    (kinds[character.toLowerCase() as keyof typeof kinds] ?? 0)
  )
})
const kindsOf = (code: number) => (code < 128 ? (ENDS[code] as number) : 0)

function hasOpenEnd(raw: string): boolean {
  for (let newline = raw.indexOf('\n'), from = 0; newline !== -1; from = newline + 1, newline = raw.indexOf('\n', from))
    if (newline > from && goesOn(raw, from, newline)) return true
  return false
}

function goesOn(raw: string, from: number, newline: number): boolean {
  const end = raw.charCodeAt(newline - 1) === 0x0d ? newline - 1 : newline
  const last = raw.charCodeAt(end - 1)
  if (isColon(last) || (kindsOf(last) & SIGN) !== 0) {
    let at = end - 1
    while (at > end - 1 - MOST_SIGNS && (kindsOf(raw.charCodeAt(at)) & SIGN) !== 0) at--
    if (isColon(raw.charCodeAt(at)) && NAME_END.test(raw.slice(Math.max(from, at - LONGEST_NAME), end))) return true
  }
  const isBroken = last === 0x5c
  if (isBroken && COMMAND_END.test(raw.slice(Math.max(from, end - LONGEST_COMMAND), end))) return true
  let at = isBroken ? end - 2 : end - 1
  let kinds = 0
  for (; at >= from && (kindsOf(raw.charCodeAt(at)) & WORD) !== 0; at--) kinds |= kindsOf(raw.charCodeAt(at))
  const mayBeToken = (kinds & JOINS) !== 0 || (kinds & (HAS_A | HAS_I)) === (HAS_A | HAS_I)
  return mayBeToken && TOKEN_END.test(raw.slice(at + 1, end))
}

function takesSeveralLines(raw: string): boolean {
  return hasOpenEnd(raw) || RULERS.some((ruler) => raw.includes(ruler)) || SEVERAL_LINES.test(raw)
}

/** Undefined for most texts: without adjacent prefixed lines or such a secret. */
export function unprefixedView(raw: string): View | undefined {
  return hasPrefixes(raw) && takesSeveralLines(raw) ? { ...viewOf(raw, PREFIX, ''), seams: [] } : undefined
}

function hasPrefixes(raw: string): boolean {
  let was = false
  for (let at = 0; at < raw.length; ) {
    const is = isPrefixed(raw, at)
    if (is && was) return true
    was = is
    const newline = raw.indexOf('\n', at)
    if (newline === -1) return false
    at = newline + 1
  }
  return false
}

function isPrefixed(raw: string, at: number): boolean {
  let first = at
  while (first < at + 10 && (raw.charCodeAt(first) === 0x20 || raw.charCodeAt(first) === 0x09)) first++
  // Fast path: most lines start with a letter or are indented code.
  if (first > at && /[A-KM-Za-z_.\n]/.test(raw[first] ?? '')) return false
  IS_PREFIXED.lastIndex = at
  return IS_PREFIXED.test(raw)
}
