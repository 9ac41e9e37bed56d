/** Secrets that are recognised by their name: `password=…`, `"api_key": "…"`, `export FOO_TOKEN=…`, `--token …`. Only the value is redacted. */
import { type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, hasRandomRun, isAlnum, isExpression, isPlaceholder, splitWords } from './redact-values.ts'

/**
 * How sure a name is: people choose passwords; secrets are generated; a token can be many things, so its value must look generated; `pass`
 * alone is also what tests do, so its value must not read as a result.
 */
type Strength = 'password' | 'secret' | 'token' | 'pass'

export interface SecretName {
  readonly kind: string
  readonly strength: Strength
}

const LONGEST_NAME = 64
const LONGEST_HEAD = 128
/** Words after the one that matters: SECRET_KEY_BASE, DB_PASSWORD_PROD, password_confirmation. */
const TAILS = new Set(
  'base prod production dev development staging stage test live old new current default value primary secondary confirm confirmation repeat'.split(
    ' ',
  ),
)
const PASSWORD_WORD = /(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord)$/
const PASS_OWNERS = new Set(
  `db database smtp imap mail email user admin root sql mysql pg postgres redis mongo rabbitmq amqp ftp sftp ssh http proxy login sudo keystore
  become ansible vault enable bind ldap wifi vnc telnet rpc rcon smb cifs samba registry docker git svn wp wordpress truststore pfx cert zip
  archive backup jenkins zabbix grafana jira ldaps sasl mqtt sa su`.split(/\s+/),
)
const KEY_OWNERS = new Set(
  `api secret private access encryption encrypt decryption signing sign master account auth admin service shared deploy subscription
  webhook license app application consumer client root rsa ssh hmac aes jwt cipher crypto server x`.split(/\s+/),
)
const HARMLESS_KEYS = new Set(
  `public primary foreign cache sort partition idempotency object session routing dedupe group query row column index unique composite host
  i18n translation map hash lookup storage publishable site hot short arrow sub registry data property field json dict react item list
  parent child node event message metric tag label`.split(/\s+/),
)
const TOKEN_OWNERS = new Set('auth access api refresh bearer bot deploy npm personal secret webhook'.split(' '))
const HARMLESS_TOKENS = new Set(
  'next page continuation cancellation cancel sync delta design pad eos bos unk mask stop start end special'.split(' '),
)

const names = new Map<string, SecretName | undefined>()

/** What a name tells about its value; undefined when it does not name a secret. */
export function secretName(name: string): SecretName | undefined {
  if (!/pass|pwd|pw$|kennwort|wachtwoord|secret|token|key|cred|auth|sig$|pat$/i.test(name)) return undefined
  if (names.has(name)) return names.get(name)
  if (names.size >= 4096) names.clear()
  const judged = judgeName(splitWords(name))
  names.set(name, judged)
  return judged
}

function judgeName(words: string[]): SecretName | undefined {
  while (words.length > 1 && (TAILS.has(words.at(-1) ?? '') || hasDigit(words.at(-1) ?? ''))) words.pop()
  const last = words.at(-1) ?? ''
  // client-key-data of a kubeconfig.
  if (last === 'data' && words.at(-2) === 'key') return judgeName(words.slice(0, -1))
  const owner = words.at(-2) ?? ''
  if (PASSWORD_WORD.test(last) || last === 'pwd' || last === 'pw') return { kind: 'password', strength: 'password' }
  if (last === 'pass' && PASS_OWNERS.has(owner)) return { kind: 'password', strength: 'password' }
  if (last === 'pass' && owner === '') return { kind: 'password', strength: 'pass' }
  if (last === 'pat' && owner !== '') return { kind: 'token', strength: 'token' }
  if (last.endsWith('secret')) return { kind: 'secret', strength: 'secret' }
  if (last === 'key') return judgeKey(words, owner)
  if (/(?:api|secret|access|private|account|auth|master)key$/.test(last)) return { kind: keyKind(last), strength: 'secret' }
  if (last === 'token' && TOKEN_OWNERS.has(owner)) return { kind: 'token', strength: 'secret' }
  if (last.endsWith('token')) return HARMLESS_TOKENS.has(owner) ? undefined : { kind: 'token', strength: 'token' }
  if (last === 'auth' || /^credentials?$/.test(last) || last === 'sig') return { kind: 'token', strength: 'token' }
  return undefined
}

function judgeKey(words: readonly string[], owner: string): SecretName | undefined {
  if (owner === '' || HARMLESS_KEYS.has(owner)) return undefined
  const kind = keyKind(words.join(''))
  return KEY_OWNERS.has(owner) ? { kind, strength: 'secret' } : { kind, strength: 'token' }
}

function keyKind(joined: string): string {
  if (joined.includes('secretaccesskey')) return 'aws-secret-key'
  return joined.endsWith('accountkey') || joined.endsWith('sharedaccesskey') ? 'azure-key' : 'secret'
}

const isNameCode = (code: number) => isAlnum(code) || code === 0x5f || code === 0x2d || code === 0x2e || code === 0x24

const BETWEEN = new Set([...'\t\v\f\r ?!]"\'`\\*'].map((character) => character.charCodeAt(0)))

/** May stand between a name and its separator: spaces of the same line, closing quotes and brackets, marks of optional fields. */
function isBetween(code: number): boolean {
  if (code < 128) return BETWEEN.has(code)
  return /\s/.test(String.fromCharCode(code))
}

/** The name left of a separator, without quotes, brackets and the marks of optional fields; at most 64 characters of it. */
export function nameBefore(text: string, separator: number): string {
  let end = separator
  const floor = Math.max(0, separator - 8)
  while (end > floor && isBetween(text.charCodeAt(end - 1))) end--
  let start = end
  const limit = Math.max(0, end - LONGEST_NAME)
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start--
  // People write 'API key: …' with a space.
  if (end - start === 3 && /^key$/i.test(text.slice(start, end)) && text[start - 1] === ' ') {
    start--
    while (start > limit && isNameCode(text.charCodeAt(start - 1))) start--
  }
  const name = text.slice(start, end)
  const typed = /^(?:string|str|bytes|any)$/i.test(name) && /:\s?$/.test(text.slice(Math.max(0, start - 2), start))
  return typed ? nameBefore(text, text.lastIndexOf(':', start)) : name
}

/** Between name and value: the sign, spaces, a colour that was written out, the prefix of a Python string. */
const SEPARATOR = /(?::=|=>|={1,3}|:\*{0,2})[ \t]{0,8}(?:(?:\\{1,2}(?:x1b|u001b|033|e)|\^\[)?\[\d[\d;]{0,16}m)?(?:[brfu]{1,2}(?=["']))?/iy
const OPENING_QUOTE = /(\\{0,3})(["'`])/y
const BARE = /[^\s"'`,;()[\]{}<>&|\\]{1,128}/y
const BARE_REST = /[^\s"'`,;()[\]{}<>&|\\]*/y
const BARE_ENV = /[^\s"'`\\]{1,128}/y
const FLAG = /--[a-z][a-z0-9-]{1,40} {1,4}(?=[^\s-])/iy
const SPOKEN = /pass(?:word|phrase|code) is:? +["'`]?([^\s"'`,;]{6,128})/iy

/** The secret value assigned by the separator at `at`. */
export function matchAssignment(text: string, at: number, name: string): Match | undefined {
  const secret = secretName(name)
  // 'GPG key: …' and its like are followed by fingerprints.
  if (secret === undefined || (secret.strength === 'token' && name.includes(' '))) return undefined
  SEPARATOR.lastIndex = at
  const separator = SEPARATOR.exec(text)?.[0]
  if (separator === undefined || text[at + 1] === ':') return undefined
  const start = at + separator.length
  // An environment line takes all up to the next space, and its value is never code.
  const isEnv = separator === '=' && /^[A-Z][A-Z0-9_]+$/.test(name)
  // Nor is that of a command-line flag.
  const isFlag = separator === '=' && name.startsWith('--')
  return matchValue(text, start, { ...secret, isEnv, isFlag, isCapital: /^P/.test(name) }) ?? matchBelow(text, start, secret)
}

/** Alone on the line below its name, as YAML folds it and formatters break it. A name with a colon is another field. */
const BELOW = /(?:[|>][+-]?[ \t]{0,4})?\r?\n[ \t]{1,40}(["'`]?)([^\s"'`]{4,512})\1[ \t]{0,8},?[ \t]{0,8}(?=\r?\n|$)/y

function matchBelow(text: string, at: number, secret: SecretName): Match | undefined {
  BELOW.lastIndex = at
  const match = BELOW.exec(text)
  if (match === null) return undefined
  const [whole, quote = '', value = ''] = match
  if (/[:,;({[]$/.test(value) || isPlaceholder(value) || !acceptsCell(value, secret, quote !== '')) return undefined
  const start = at + whole.lastIndexOf(value)
  const kind = matchShape(text, start)?.found[0]?.kind ?? secret.kind
  return { found: [{ kind, start, end: start + value.length }], next: start + value.length }
}

/** `--password hunter2`: a flag and its value. */
export function matchFlag(text: string, at: number): Match | undefined {
  FLAG.lastIndex = at
  const flag = FLAG.exec(text)?.[0]
  const secret = flag === undefined ? undefined : secretName(flag.trim())
  return flag === undefined || secret === undefined
    ? undefined
    : matchValue(text, at + flag.length, { ...secret, isEnv: false, isFlag: true, isCapital: false })
}

const ELEMENT_NAME = /<[A-Za-z][\w.:-]{1,63}$/
const ELEMENT_TEXT = />([^\s<>]{1,512})<\//y

/** `<password>hunter2</password>`, from the end of the opening tag on. */
export function matchElement(text: string, at: number): Match | undefined {
  ELEMENT_TEXT.lastIndex = at
  const value = ELEMENT_TEXT.exec(text)?.[1]
  if (value === undefined) return undefined
  const name = ELEMENT_NAME.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0].slice(1)
  const secret = name === undefined ? undefined : secretName(name)
  if (secret === undefined || !acceptsQuoted(value, secret) || isPlaceholder(value)) return undefined
  const kind = matchShape(text, at + 1)?.found[0]?.kind ?? secret.kind
  const end = at + 1 + value.length
  return { found: [{ kind, start: at + 1, end }], next: end }
}

/** 'the password is hunter2', from the word password on. */
export function matchSpokenPassword(text: string, at: number): Match | undefined {
  SPOKEN.lastIndex = at
  const match = SPOKEN.exec(text)
  if (match === null) return undefined
  const value = (match[1] ?? '').replace(/[.?:)]+$/, '')
  if (!(hasDigit(value) && /[a-z]/i.test(value)) || isPlaceholder(value)) return undefined
  const start = at + match[0].length - (match[1] ?? '').length
  return { found: [{ kind: 'password', start, end: start + value.length }], next: start + value.length }
}

interface Target extends SecretName {
  readonly isEnv: boolean
  readonly isFlag: boolean
  readonly isCapital: boolean
}

function matchValue(text: string, at: number, target: Target): Match | undefined {
  OPENING_QUOTE.lastIndex = at
  const quote = OPENING_QUOTE.exec(text)
  const start = at + (quote?.[0].length ?? 0)
  const head = quote === null ? bareEnd(text, start, target) : quotedEnd(text, start, quote)
  if (head === undefined || head === start) return undefined
  // Test runners print 'PASS: …'.
  if (quote === null && target.strength === 'pass' && target.isCapital) return undefined
  const value = text.slice(start, head)
  const accepted = quote === null ? acceptsBare(value, target) : acceptsQuoted(value, target)
  if (!accepted || value.startsWith('-----BEGIN') || isPlaceholder(value)) return undefined
  const end = value.length < LONGEST_HEAD ? head : restEnd(text, head)
  const kind = matchShape(text, start)?.found[0]?.kind ?? target.kind
  return { found: [{ kind, start, end }], next: end }
}

/** Where the quoted value ends, on the same line; a quote escaped once more than the opening one belongs to the value. */
function quotedEnd(text: string, start: number, [opening, escapes = '', mark = '']: RegExpExecArray): number | undefined {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a) return undefined
    if (escapes !== '' && text.startsWith(opening, at)) return at
    if (escapes !== '') continue
    if (text[at] === mark) return at
    if (code === 0x5c) at++
  }
  return undefined
}

/** Where the value ends, or its beginning if it is long: a refused value must not be read to its end again and again. */
function bareEnd(text: string, start: number, { isEnv }: Target): number | undefined {
  const pattern = isEnv ? BARE_ENV : BARE
  pattern.lastIndex = start
  const head = pattern.exec(text)?.[0]
  if (head === undefined) return undefined
  let end = start + head.length
  if (head.length === LONGEST_HEAD) return end
  // What a bracket follows is a call, an index or a type with arguments.
  if (!isEnv && isBracket(text.charCodeAt(end))) return undefined
  while (end > start && /[.:?,;)\]}\\]/.test(text[end - 1] ?? '')) end--
  return end
}

function restEnd(text: string, at: number): number {
  BARE_REST.lastIndex = at
  return at + (BARE_REST.exec(text)?.[0].length ?? 0)
}

function isBracket(code: number): boolean {
  return code === 0x28 || code === 0x5b || code === 0x7b || code === 0x3c
}

/** Too long for a word, and not the spelling of a name. */
const ONE_CASE_RUN = /[a-z0-9]{20}|[A-Z0-9]{20}/

function acceptsQuoted(value: string, { strength }: SecretName): boolean {
  // Several words without a digit are a label or a sentence.
  if (/\s/.test(value) && !hasDigit(value)) return false
  const isVaried = hasDigit(value) || /[^\w\s.-]/.test(value)
  if (strength === 'password') return isVaried ? value.length >= 4 : /^[A-Za-z]{6,}$/.test(value) && !/pass/i.test(value)
  if (strength === 'pass') return acceptsPass(value)
  if (strength === 'secret') return value.length >= 8 && (isVaried || ONE_CASE_RUN.test(value))
  return value.length >= 20 && hasRandomRun(value, 16)
}

/** Letters and numbers mixed as nobody names a variable, even where a part of it is a word. */
function isChosen(value: string): boolean {
  return value.length >= 8 && /[a-z].*\d{2}|\d{2}.*[a-z]/i.test(value) && !value.includes('.')
}

/** Not a count, a share, a time or the name of a test. */
function acceptsPass(value: string): boolean {
  const isResult = /^[\d.,]+\s?[a-zµ/%]{1,6}$/i.test(value)
  return value.length >= 6 && hasDigit(value) && /[a-z]/i.test(value) && !isResult && (isChosen(value) || !isExpression(value))
}

/** A cell of a table, or the value of a pair: these can be prose or types too, so an unquoted one must mix its characters. */
export function acceptsCell(value: string, secret: SecretName, isQuoted: boolean): boolean {
  if (isQuoted) return acceptsQuoted(value, secret)
  const isMixed = /[a-z]/i.test(value) && (hasDigit(value) || /[!-,:-@[-^{-~]/.test(value))
  return isMixed && /^[\x21-\x7e]+$/.test(value) && (isChosen(value) || !isExpression(value)) && acceptsQuoted(value, secret)
}

function acceptsBare(value: string, { strength, isEnv, isFlag }: Target): boolean {
  if (isFlag) return value.length >= 4 && (strength === 'password' || hasDigit(value) || value.length >= 20)
  if (strength === 'token' && !isEnv) return value.length >= 20 && hasRandomRun(value, 16)
  if (strength === 'token') return value.length >= 10 && hasDigit(value) && /[a-z]/i.test(value)
  if (strength === 'password' && !isEnv && isChosen(value)) return true
  if (!isEnv && isExpression(value)) return false
  if (strength === 'pass') return value.length >= 8 && acceptsPass(value)
  if (strength === 'secret') return value.length >= 8 && ((hasDigit(value) && /[a-z]/i.test(value)) || ONE_CASE_RUN.test(value))
  if (isEnv) return value.length >= 4
  return value.length >= 6 && (hasDigit(value) || /[^\w.$:-]/.test(value))
}
