/** Numbers that are secret by themselves: payment cards, bank accounts, social security numbers, Telegram bot tokens. Checksums decide. */
import type { Match } from './redact-kinds.ts'

const CARD = /(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|3[47]\d{13})(?![\w+/=-]|\.\d)/y
const GROUPED_CARD = /(?:[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -])\d{6}\2\d{5})(?![\w+/=-]|\.\d|[ -]\d{4}(?![\d/]))/y
const SSN = /\d{3}-\d{2}-\d{4}(?![\w-])|\d{9}(?![\w.-])/y
const SSN_WORD = /\b(?:ssn|social[ -]security)\b[^\n]{0,40}$/i
const TELEGRAM = /\d{8,10}(?::|%3A)AA[\w-]{32,34}(?![\w-])/y

/** Whichever of them begins at the digit at `at`, which must be the start of a word. */
export function matchNumber(text: string, at: number): Match | undefined {
  if (!mayBegin(text, at)) return undefined
  const before = text[at - 1] ?? ''
  const bot = matchAt(TELEGRAM, text, at)
  if (bot !== undefined) return span('telegram-token', at, bot)
  if (/[-.+/#]/.test(before)) return undefined
  const card =
    matchAt(CARD, text, at) ?? (/\d[ -]$/.test(text.slice(Math.max(0, at - 2), at)) ? undefined : matchAt(GROUPED_CARD, text, at))
  if (card !== undefined && isLuhn(card) && !isInList(text, at, at + card.length)) return span('credit-card', at, card)
  const ssn = matchAt(SSN, text, at)
  if (ssn !== undefined && isSsn(ssn) && SSN_WORD.test(text.slice(Math.max(0, at - 60), at))) return span('ssn', at, ssn)
  return undefined
}

/** By the digits in one run: three and a dash, four and a space or a dash, or at least eight. Most numbers are lines, counts and years. */
function mayBegin(text: string, at: number): boolean {
  let end = at + 1
  while (end < at + 8 && isDigit(text.charCodeAt(end))) end++
  const next = text.charCodeAt(end)
  const digits = end - at
  return digits === 8 || (digits === 3 && next === 0x2d) || (digits === 4 && (next === 0x2d || next === 0x20))
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function span(kind: string, start: number, matched: string): Match {
  const end = start + matched.length
  return { found: [{ kind, start, end }], next: end }
}

/** Groups of four digits of a longer list, as tables of characters have them. */
const GROUP_BEFORE = /(?:^|\s)[0-9A-F]{4,5}[ \r\n]{1,2}$/
const GROUP_AFTER = /[ \r\n]{1,2}[0-9A-F]{4,5}(?:\s|$)/y

function isInList(text: string, start: number, end: number): boolean {
  GROUP_AFTER.lastIndex = end
  return GROUP_AFTER.test(text) && GROUP_BEFORE.test(text.slice(Math.max(0, start - 8), start))
}

function isLuhn(card: string): boolean {
  const digits = card.replace(/\D/g, '')
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** Areas 000, 666 and 900 up, group 00 and serial 0000 are never given out. */
function isSsn(number: string): boolean {
  return !/^(?:000|666|9)|^\d{3}-?00|0000$/.test(number)
}

/** Length of an IBAN by country; a country that is not here has none. */
const IBAN_LENGTHS = new Map<string, number>(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27
  GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19
  MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23
  TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** The countries as the two characters that an IBAN begins with. */
export const IBAN_STARTS: readonly string[] = [...IBAN_LENGTHS.keys()]

/** An IBAN, in one piece or in groups of four, that begins at the capital at `at`. */
export function matchIban(text: string, at: number): Match | undefined {
  if (!isDigit(text.charCodeAt(at + 2)) || !isDigit(text.charCodeAt(at + 3))) return undefined
  const length = IBAN_LENGTHS.get(text.slice(at, at + 2))
  if (length === undefined) return undefined
  let account = ''
  let end = at
  while (account.length < length) {
    const character = text[end] ?? ''
    if (/[A-Z0-9]/.test(character)) account += character
    else if (character !== ' ' || account.length % 4 !== 0) return undefined
    end++
  }
  if (/\w/.test(text[end] ?? '') || !isMod97(account)) return undefined
  return { found: [{ kind: 'iban', start: at, end }], next: end }
}

function isMod97(account: string): boolean {
  let rest = 0
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
