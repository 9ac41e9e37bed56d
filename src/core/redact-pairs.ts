/** Credentials told by how their parts are joined: an id and a secret of fixed lengths, or a prefix that nobody listed before much that chance put together. */
import { type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, isAlnum, isJumbled, isMixedCase, isPlaceholder, isScrambled, isUnspeakable } from './redact-values.ts'

interface Pair {
  readonly sign: string
  /** Ends where the sign begins. */
  readonly before: RegExp
  /** From the sign on. */
  readonly after: RegExp
  readonly accepts?: (value: string) => boolean
  /** The first part stays: it is no secret. */
  readonly keepsFirst?: true
}

const EDGE = '(?:(?<![\\w-])|(?<=\\\\[nrt]))'
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const isDense = (value: string) => /\d\D*\d/.test(value) && isMixedCase(value)

const PAIRS: readonly Pair[] = [
  { sign: ':', before: new RegExp(`${EDGE}${UUID}$`, 'i'), after: /:fx(?![\w-])/y },
  { sign: ':', before: new RegExp(`${EDGE}[0-9a-f]{24}$`), after: /:[0-9a-f]{64}(?![0-9a-zA-Z])/y },
  { sign: ':', before: new RegExp(`${EDGE}[\\w-]{6}\\.[\\w-]{6}$`), after: /:[\w-]{43}(?![\w-])/y, accepts: isMixedCase },
  { sign: ':', before: new RegExp(`${EDGE}${UUID}$`), after: /:[0-9a-f]{32}(?![0-9a-zA-Z])/y },
  { sign: ':', before: /[\w*-]$/, after: /:[\w-]{1,40}\.[0-9a-f]{56}(?![0-9a-zA-Z])/y, keepsFirst: true },
  { sign: '-', before: new RegExp(`${EDGE}[0-9a-f]{32}$`), after: new RegExp(`-(?:[0-9a-f]{8}-[0-9a-f]{8}|${UUID})(?![\\w-])`, 'y') },
  { sign: '-', before: new RegExp(`${EDGE}[0-9a-f]{16}$`), after: /-[0-9a-f]{16}-[0-9a-f]{16}(?![\w-])/y, accepts: hasDigit },
  { sign: '-', before: new RegExp(`${EDGE}\\d{8,25}$`), after: /-[A-Za-z0-9]{27,50}(?![\w-])/y, accepts: isJumbled },
  { sign: '|', before: new RegExp(`${EDGE}\\d{15,16}$`), after: /\|[\w-]{27,40}(?![\w-])/y, accepts: isMixedCase },
]
const LONGEST_FIRST = 40

/** The credential whose parts are joined by the sign at `at`; it does not begin before `floor`. */
export function matchPair(text: string, at: number, floor: number): Match | undefined {
  // Most signs stand between shorter words.
  const code = text.charCodeAt(at)
  const isJoined = code === 0x2d ? isHex(text.charCodeAt(at - 1)) && isHex(text.charCodeAt(at - 8)) : code === 0x3a || code === 0x7c
  if (!isJoined || !isPart(text.charCodeAt(at - 1)) || !isPart(text.charCodeAt(at + 1)) || at <= floor) return undefined
  const sign = text[at]
  let head: string | undefined
  for (const pair of PAIRS) {
    if (pair.sign !== sign) continue
    pair.after.lastIndex = at
    const rest = pair.after.exec(text)?.[0]
    if (rest === undefined || pair.accepts?.(rest) === false) continue
    head ??= text.slice(Math.max(floor, at - LONGEST_FIRST), at)
    const first = pair.before.exec(head)?.[0]
    if (first === undefined) continue
    const end = at + rest.length
    const start = pair.keepsFirst === true ? at + rest.lastIndexOf('.') + 1 : at - first.length
    return { found: [{ kind: 'service-token', start, end }], next: end }
  }
  return undefined
}

const isHex = (code: number) => (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66)
const isPart = (code: number) => isAlnum(code) || code === 0x2a || code === 0x2d || code === 0x5f

const isMadeByChance = (run: string) => isMixedCase(run) && isJumbled(run) && (isDense(run) || isUnspeakable(run))

/** What issuers put before what only the owner may know. */
const IS_TELLING = /(?:^|_)(?:sk|pat|secret|esecret|api|whs|live|test)_/
const HEX = /^[0-9a-f]{32,}$/

const LEAST_RUN = 20
const LEAST_UNTOLD = 30
const LONGEST_RUN = 256
const RUN = /[A-Za-z0-9]{20,257}/y
const PREFIX = /(?:(?<![\w./+-])|(?<=\\[nrt]))[a-z][a-z0-9]{1,11}(?:_[a-z0-9]{1,8}){0,2}_$/

/** `acme_` before letters of both cases and digits in an order that no name has, from the last sign of the prefix on. */
export function matchPrefixed(text: string, at: number, floor: number): Match | undefined {
  if (text.charCodeAt(at) !== 0x5f) return undefined
  if (!isAlnum(text.charCodeAt(at + LEAST_RUN)) || !isAlnum(text.charCodeAt(at + 10)) || !isAlnum(text.charCodeAt(at + 1))) return undefined
  RUN.lastIndex = at + 1
  const run = RUN.exec(text)?.[0]
  if (run === undefined || run.length > LONGEST_RUN) return undefined
  const end = at + 1 + run.length
  if (/[\w+/=.-]/.test(text[end] ?? '') || !(isMadeByChance(run) || HEX.test(run)) || /([A-Za-z0-9])\1{4}/.test(run)) return undefined
  const prefix = PREFIX.exec(text.slice(Math.max(floor, at - 32), at + 1))?.[0]
  if (prefix === undefined || ((run.length < LEAST_UNTOLD || HEX.test(run)) && !IS_TELLING.test(prefix))) return undefined
  return { found: [{ kind: 'token', start: at + 1 - prefix.length, end }], next: end }
}

/** `user:password@host:port` without a scheme. */
const BARE_LOGIN = /:([^\s:@"'`/,;()<>[\]{}]{8,128})@[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}:\d{2,5}(?!\d)/y

export function matchBareLogin(text: string, at: number): Match | undefined {
  // Most colons stand before a space, a sign, or a shorter word.
  if (
    !(text.charCodeAt(at + 1) > 0x20 && text.charCodeAt(at + 4) > 0x20 && text.charCodeAt(at + 8) > 0x20) ||
    !isAlnum(text.charCodeAt(at - 1))
  )
    return undefined
  BARE_LOGIN.lastIndex = at
  const password = BARE_LOGIN.exec(text)?.[1]
  if (password === undefined || !isScrambled(password) || isPlaceholder(password)) return undefined
  const start = at + 1
  const end = start + password.length
  return { found: [{ kind: matchShape(text, start)?.found[0]?.kind ?? 'url-password', start, end }], next: end }
}
