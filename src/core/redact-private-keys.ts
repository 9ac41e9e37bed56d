/**
 * Private keys, whole, in any layout: tools put line numbers, arrows, marks of diffs, quotes, boxes or timestamps before the lines, and write line
 * ends and spaces as escapes. What counts is that most of what stands between the first and the last line is key material.
 */
import type { Match } from './redact-kinds.ts'
import { hasDigit, isMixedCase } from './redact-values.ts'

/** A space of a label, as text, URL, HTML or JSON write it. */
const SPACE = '(?: |\\+|%(?:25)?20|=20|&#32;|&nbsp;|\\\\u0020|_)'
const DASH = '(?:-|%(?:25)?2D|&#45;|&#x2d;|\\\\u002d|[\\u2010-\\u2015\\u2212])'
const LABEL = `((?:[A-Z0-9]{1,12}${SPACE}){0,4})PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?`
const BEGIN = new RegExp(`-{4,5} ?BEGIN${SPACE}${LABEL} ?${DASH}{2,5}`, 'iy')
export const BARE_BEGIN = new RegExp(`BEGIN${SPACE}${LABEL} ?${DASH}{2,5}`, 'iy')
const END_LINE = new RegExp(`-{4,5} ?END${SPACE}${LABEL}(?: ?${DASH}{2,5})?`, 'iy')
/** The next first or last line of a key. */
const EDGE = new RegExp(`(BEGIN|END)${SPACE}${LABEL}(?: ?${DASH}{2,5})?`, 'gi')
const DASHES_BEFORE = new RegExp(`${DASH}$`, 'i')

const FOUR = '-'.repeat(4)
const LONGEST_BLOCK = 65_536
const LONGEST_LINE = 512
/** A key on one line, as a shell prints it without quotes. */
const LONGEST_WINDOW = 8192
const LINE_END =
  /\r\n?|\n|\\{1,8}(?:r\\{1,8}n|[nr]|u000[aAdD]|x0[aAdD]|01[25])|%(?:25)?0[aAdD]|=0[AD]|&#(?:10|13|x0?[aAdD]);|<br ?\/?>|\^M\$/g
/** Base64, also where its signs are escaped. */
const MATERIAL = /(?:[A-Za-z0-9+/=]|\\{1,4}\/|%(?:25)?2[BbFf]|%(?:25)?3[Dd]|&#(?:43|47|61|x2[bBfF]|x3[dD]);|\\{1,2}u00(?:2[bBfF]|3[dD]))+/g
const LEAST_RUN = 16
/** Between two lines, and between the first line with its headers and the key: some layouts write each end of a line twice. */
const MOST_EMPTY = 2
const MOST_EMPTY_BEFORE = 5
/** Prefixes of logs are about as long as a line of a key. */
const LEAST_SHARE = 0.35
/** Only characters of a key and of its usual layouts. */
const PLAIN_BODY = /^[\w+/=\s\\:,.()<>@"'|#*-]*$/
const HEADER =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject)(?::|%(?:25)?3A|=3A|&#58;)(?: |%(?:25)?20|=20|\+|&nbsp;)/
/** PuTTY's own format has no line around the key, but a count of its lines. */
export const PUTTY = /Private-Lines(?::|%(?:25)?3A|=3A|&#58;)(?: |%(?:25)?20|=20|\+|&nbsp;){0,2}\d{1,3}/iy
const PUTTY_END = /Private-(?:MAC|Hash|Lines)/g

/** The key whose first line begins at the dash at `at`; without a last line, to the end of its material. */
export function matchPrivateKey(text: string, at: number): Match | undefined {
  return text.startsWith(FOUR, at) ? keyFrom(text, at, execAt(BEGIN, text, at)) : undefined
}

/** The same where the dashes are escaped, or were made into long ones: from the word BEGIN on. */
export function matchBareBegin(text: string, at: number): Match | undefined {
  if (text[at - 1] === '-' || !DASHES_BEFORE.test(text.slice(Math.max(0, at - 8), at))) return undefined
  return keyFrom(text, at, execAt(BARE_BEGIN, text, at))
}

/** The private part of a PuTTY key, from the line before it on. */
export function matchPuttyKey(text: string, at: number): Match | undefined {
  const head = execAt(PUTTY, text, at)
  if (head === null) return undefined
  const start = at + head[0].length
  const limit = Math.min(text.length, start + LONGEST_BLOCK)
  PUTTY_END.lastIndex = start
  const closing = PUTTY_END.exec(text)?.index ?? text.length
  const body = text.slice(start, Math.min(closing, limit))
  if (closing < limit && isKey(body)) {
    const last = [...body.matchAll(MATERIAL)].findLast(({ 0: run }) => run.length >= 4)
    const end = start + (last === undefined ? body.length : last.index + last[0].length)
    return { found: [{ kind: 'private-key', start, end }], next: end }
  }
  const end = materialEnd(text, start, { limit, lead: leadOf(text, at) })
  return end === start ? undefined : { found: [{ kind: 'private-key', start, end }], next: end }
}

function keyFrom(text: string, at: number, begin: RegExpExecArray | null): Match | undefined {
  if (begin === null) return undefined
  const bodyStart = at + begin[0].length
  const kind = /PGP/i.test(begin[1] ?? '') ? 'pgp-private-key' : 'private-key'
  EDGE.lastIndex = bodyStart
  const edge = EDGE.exec(text)
  const limit = Math.min(edge?.index ?? text.length, bodyStart + LONGEST_BLOCK)
  const isClosed = edge?.[1]?.toUpperCase() === 'END' && edge.index === limit
  if (isClosed) {
    // Code that only names the two lines has no key between them.
    if (!isKey(text.slice(bodyStart, limit))) return undefined
    const end = limit + edge[0].length
    return { found: [{ kind, start: at, end }], next: end }
  }
  const end = materialEnd(text, bodyStart, { limit, lead: leadOf(text, at) })
  return end - bodyStart < 20 ? undefined : { found: [{ kind, start: at, end }], next: end }
}

/** The end of a key whose first line is missing: from the dashes of its last line back to the beginning of its material, not before `floor`. */
export function matchKeyEnd(text: string, at: number, floor: number): Match | undefined {
  const closing = text.startsWith(FOUR, at) ? execAt(END_LINE, text, at) : null
  if (closing === null) return undefined
  let start = at
  let isFirst = true
  let misses = 0
  for (let to = at; to > floor; ) {
    const from = Math.max(floor, to - LONGEST_LINE)
    const breaks = [...text.slice(from, to).matchAll(LINE_END)]
    const last = breaks.at(-1)
    const lineStart = last === undefined ? from : from + last.index + last[0].length
    const line = text.slice(lineStart, to)
    const run = materialOf(line)
    // The line of the dashes themselves, and a short last line before it, may have none.
    const isEmpty = !/[A-Za-z0-9]/.test(line)
    if (run !== undefined) {
      start = lineStart + run.at
      misses = 0
    } else if (isEmpty ? ++misses > MOST_EMPTY : start !== at || !(to === at || isFirst)) break
    else if (!isEmpty) misses = 0
    if (to !== at && !isEmpty) isFirst = false
    if (last === undefined) break
    to = from + last.index
  }
  if (start === at) return undefined
  const end = at + closing[0].length
  return { found: [{ kind: 'private-key', start, end }], next: end }
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function isKey(body: string): boolean {
  if (PLAIN_BODY.test(body) && /[A-Za-z0-9+/=]{20}/.test(body)) return true
  let material = 0
  let all = 0
  for (const line of body.split(LINE_END)) {
    const run = materialOf(line)
    material += run?.length ?? 0
    if (run !== undefined || !HEADER.test(line)) all += line.replace(/\s+/g, '').length
  }
  return material >= 40 && material >= all * LEAST_SHARE
}

interface Run {
  readonly at: number
  readonly end: number
  readonly length: number
}

/** The key material in a line, from its first stretch to its last; undefined where all of it may be words. */
function materialOf(line: string): Run | undefined {
  let material: Run | undefined
  for (const { 0: run, index } of line.matchAll(MATERIAL)) {
    const isKeyLike = run.length >= LEAST_RUN && ((hasDigit(run) && isMixedCase(run)) || run.length >= 40)
    if (isKeyLike) material = { at: material?.at ?? index, end: index + run.length, length: (material?.length ?? 0) + run.length }
  }
  return material
}

/** Where the material ends that follows the first line of a key: at the first line that is none, or ends as the text does. */
export function materialEnd(text: string, from: number, { limit, lead }: { readonly limit: number; readonly lead: string }): number {
  let end = from
  let around = ''
  let misses = 0
  for (let at = from; at < limit && misses <= (end === from ? MOST_EMPTY_BEFORE : MOST_EMPTY); ) {
    const window = text.slice(at, Math.min(limit, at + LONGEST_WINDOW))
    LINE_END.lastIndex = 0
    const brk = LINE_END.exec(window)
    const line = brk === null ? window : window.slice(0, brk.index)
    const run = materialOf(line)
    if (run !== undefined) {
      end = at + run.end
      around = layoutOf(line, run)
      misses = 0
    } else if (end > from) {
      const short = lastShort(text, { at, line, around })
      // Between the ends of lines of a layout there may be nothing but its marks.
      if (short !== undefined || /[A-Za-z0-9]/.test(line) || ++misses > MOST_EMPTY) return short ?? end
    } else if (!HEADER.test(line)) {
      if (at > from && /[A-Za-z]{3}/.test(withoutLead(line, lead))) break
      misses++
    }
    if (brk === null) break
    at += brk.index + brk[0].length
  }
  return end
}

const LONGEST_LEAD = 200

/** What a tool put before the first line of the key, whatever its numbers are. */
function leadOf(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_LEAD), at)
  return shapeOf(before.slice(before.lastIndexOf('\n') + 1)).trimEnd()
}

/** An empty line of the key may still have the tool's part of the line. */
function withoutLead(line: string, lead: string): string {
  const shape = shapeOf(line)
  return (lead !== '' && shape.startsWith(lead) ? shape.slice(lead.length) : shape).replace(/<[^<>]{1,80}>|&[a-z]{2,6};/g, '')
}

const shapeOf = (line: string) => line.replace(/\d+/g, '0').replace(/[ \t]+/g, ' ')

/** What stands around the material of a line, whatever its numbers are. */
function layoutOf(line: string, { at, end }: Pick<Run, 'at' | 'end'>): string {
  return shapeOf(`${line.slice(0, at)}\0${line.slice(end)}`)
}

interface ShortLine {
  readonly at: number
  readonly line: string
  readonly around: string
}

/** The end of a last line that is too short to be told from a word: in the layout of the lines before it, at the end of the text or with a sign of base64. */
function lastShort(text: string, { at, line, around }: ShortLine): number | undefined {
  for (const { 0: run, index } of line.matchAll(MATERIAL)) {
    if (layoutOf(line, { at: index, end: index + run.length }) !== around) continue
    const end = at + index + run.length
    const isLast = /^[\s\\"'`nr]{0,8}$/.test(text.slice(end, end + 9))
    if (isLast || /[+/=]/.test(run) || (hasDigit(run) && isMixedCase(run))) return end
  }
  return undefined
}
