/** Strips prefixes of tools from lines, to find secrets of several lines: line numbers, diff marks, quotes, boxes, times. */
import { type View, viewOf } from './visible-text.ts'

const NUMBER = '[ \\t]{0,10}L?\\d{1,7}(?:→|\\t| ?[│┃║|] ?|[:-] ?)'
/** `file:12:` and `file-12-` of grep, `pod | ` of compose. */
const NAME = '[\\w./@~+-]{1,120}(?:[:-]\\d{1,7}[:-]| {1,20}\\| )'
const MARKS = '[ \\t]{0,8}(?:[│┃║|] ?|(?:> ?){1,4}|[+-](?!\\+\\+|--))'
const TIME = '\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[.,\\d]{0,12}(?:Z|[+-]\\d\\d:?\\d\\d)?\\]? ?'
const PREFIX = new RegExp(`^(?:${TIME}|${NUMBER}|${NAME}|${MARKS})`, 'gm')
const IS_PREFIXED = new RegExp(`(?:${TIME}|${NUMBER}|${NAME}|${MARKS})`, 'y')

/** Secrets of several lines: .netrc, value below its name, table, continued command or token. */
const SEVERAL_LINES = new RegExp(
  [
    '\\bmachine[ \\t]+\\S{1,256}[ \\t]*\\r?\\n',
    '\\bdefault[ \\t]*(?:\\r?\\n|login)',
    '(?:passw[a-z]{2,3}|passphrase|pass|pwd|secret|token|key)["\'`]?[ \\t]?[:=][ \\t|>+-]{0,6}\\r?\\n',
    '\\b(?:name|key)["\']?[ \\t]?[:=][^\\n]{0,60}(?:pass|pwd|secret|token|key)[^\\n]{0,40}\\n',
    '\\bkind: *Secret\\b',
    '\\| ?:?--|-\\+-',
    '\\b(?:login|sshpass|mysql\\w*)[^\\n]{0,120}\\\\\\r?\\n',
    '(?:gh[pousr]_|_pat_|sk-|glpat-|xox[bp]-|npm_|_live_|AKIA|ASIA|AIza)[\\w-]*\\\\?\\r?\\n',
  ].join('|'),
  'i',
)

/** Undefined for most texts: without adjacent prefixed lines or such a secret. */
export function unprefixedView(raw: string): View | undefined {
  return hasPrefixes(raw) && SEVERAL_LINES.test(raw) ? { ...viewOf(raw, PREFIX, ''), seams: [] } : undefined
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
