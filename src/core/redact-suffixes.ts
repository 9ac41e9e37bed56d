/** Credentials that are told by their middle, their end or their length, not by how they begin. */
import type { Match } from './redact-kinds.ts'
import { hasDigit, isMixedCase } from './redact-values.ts'

interface Suffix {
  readonly sign: string
  readonly before: RegExp
  readonly after: RegExp
  readonly kind: string
}

/** Credentials that are told by their middle or end. */
const SUFFIXES: readonly Suffix[] = [
  // Always three characters: whatever stands before them, such as the `10-` of grep, belongs to something else.
  { sign: '~', before: /[\w~.-]{3}\dQ$/, after: /~[\w~.-]{31,34}(?![\w~-])/y, kind: 'azure-key' },
  { sign: '_mmk', before: /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, after: /_mmk(?!\w)/y, kind: 'service-token' },
  { sign: '-us', before: /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[0-9a-f]{32}$/, after: /-us\d{1,2}(?![\w-])/y, kind: 'service-token' },
  { sign: 'ACR', before: /(?<![\w+/])[A-Za-z0-9+/]{42}\+$/, after: /ACR[A-D][A-Za-z0-9+/]{5}(?![\w+/=])/y, kind: 'azure-key' },
  { sign: 'atlasv1', before: /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))[A-Za-z0-9]{14}\.$/, after: /atlasv1\.[\w=-]{40,}/y, kind: 'cloud-token' },
]

function matchedAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The credential whose sign is at `at`; it does not begin before `floor`. */
export function matchSuffix(text: string, at: number, floor: number): Match | undefined {
  const second = text.charCodeAt(at + 1)
  // Most dashes and underlines: neither `-us`, `_mmk`, `atlasv1` nor `ACR`.
  if (text.charCodeAt(at) !== 0x7e && second !== 0x75 && second !== 0x6d && second !== 0x74 && second !== 0x43) return undefined
  for (const { sign, before, after, kind } of SUFFIXES) {
    if (!text.startsWith(sign, at)) continue
    const rest = matchedAt(after, text, at)
    const head = rest === undefined ? undefined : before.exec(text.slice(Math.max(floor, at - 48), at))?.[0]
    if (rest === undefined || head === undefined || !(hasDigit(head + rest) || isMixedCase(head + rest))) continue
    const end = at + rest.length
    return { found: [{ kind, start: at - head.length, end }], next: end }
  }
  return undefined
}

/** Shorter words are not looked at. */
export const LONG_WORD = 40
/** Azure writes the service into its keys: DevOps at the end of a token of 84 characters, search into one of 52, others behind `JQQJ99`. */
const DEVOPS_LENGTH = 84
const SEARCH_LENGTH = 52
const JQQJ99_AT = 52
/** New Relic's licences end in their name, RapidAPI's keys have theirs inside. */
const LICENCE = /^[0-9a-f]{36}NRAL$/
const RAPID = /^[0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{10,12}$/

/** The key that a long run of letters and digits is. */
export function matchLongWord(text: string, start: number, end: number): Match | undefined {
  const length = end - start
  if (length > DEVOPS_LENGTH) return undefined
  const kind = isAzureWord(text, start, end)
    ? 'azure-key'
    : length < SEARCH_LENGTH && isServiceWord(text.slice(start, end))
      ? 'service-token'
      : undefined
  return kind === undefined ? undefined : { found: [{ kind, start, end }], next: end }
}

function isAzureWord(text: string, start: number, end: number): boolean {
  if (end - start === DEVOPS_LENGTH && text.startsWith('AZDO', end - 8)) return true
  if (end - start === SEARCH_LENGTH && text.startsWith('AzSe', end - 10)) return true
  return end - start >= 76 && text.startsWith('JQQJ99', start + JQQJ99_AT)
}

const isServiceWord = (word: string) => LICENCE.test(word) || RAPID.test(word)

/** Where Azure writes the service into a key that ends with a sign of base64. */
const AZURE_SERVICES = new Set('ACDb APIM AzFu AIoT AzCa +ASt +ABa +AEh +ARm +ASb'.split(' '))
const AZURE_BODY = /[\w+/-]{32,96}$/

/** An Azure key from its end: the first sign of base64 is at `at`. */
export function matchAzureKey(text: string, at: number, floor: number): Match | undefined {
  const first = text.charCodeAt(at - 10)
  if ((first !== 0x41 && first !== 0x2b) || !AZURE_SERVICES.has(text.slice(at - 10, at - 6))) return undefined
  const body = AZURE_BODY.exec(text.slice(Math.max(floor, at - 110), at))?.[0]
  if (body === undefined || body.length < 43) return undefined
  const end = at + (text[at + 1] === '=' ? 2 : 1)
  return { found: [{ kind: 'azure-key', start: at - body.length, end }], next: end }
}
