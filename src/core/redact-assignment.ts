/** Secrets that are recognised by their name: `password=…`, `"api_key": "…"`, `export FOO_TOKEN=…`, `--token …`. Only the value is redacted. */
import { type Match, matchShape } from './redact-kinds.ts'
import { isBetween, isNameCode, LONGEST_NAME } from './redact-name-letters.ts'
import {
  hasDigit,
  hasRandomRun,
  isApart,
  isExpression,
  isJumbled,
  isMixedCase,
  isPlaceholder,
  isScrambled,
  isUnspeakable,
  splitWords,
} from './redact-values.ts'

/**
 * How sure a name is: people choose passwords; secrets are generated; a token can be many things, so its value must look generated; `pass`
 * alone is also what tests do, so its value must not read as a result.
 */
type Strength = 'password' | 'secret' | 'token' | 'pass'

export interface SecretName {
  readonly kind: string
  readonly strength: Strength
  /** `SNYK_TOKEN`: issued by a service, so that an id may be all there is. */
  readonly isIssued?: true
}

const LONGEST_HEAD = 128
/** Words after the one that matters: SECRET_KEY_BASE, DB_PASSWORD_PROD, password_confirmation. */
const TAILS = new Set(
  'base prod production dev development staging stage test live old new current default value primary secondary confirm confirmation repeat'.split(
    ' ',
  ),
)
const PASSWORD_WORD =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|contrasena|senha|(?:ssh|db|user|root|admin|store|key|require)pass|masterauth)$/
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
  parent child node event message metric tag label meta`.split(/\s+/),
)
const TOKEN_OWNERS = new Set('auth access api refresh bearer bot deploy npm personal secret webhook'.split(' '))
const HARMLESS_TOKENS = new Set(
  'next page continuation cancellation cancel sync delta design pad eos bos unk mask stop start end special'.split(' '),
)

const names = new Map<string, SecretName | undefined>()

/** What a name tells about its value; undefined when it does not name a secret. */
export function secretName(name: string): SecretName | undefined {
  if (
    !/pass|pwd|pw$|kennwort|wachtwoord|contrasena|senha|_session$|sid$|SessionId$|sessionid$|roblosecurity$|masterauth$|secret|token|key|cred|auth|sig$|signature$|pat$|psk$|secret-?string$|sonar\.login$|^BUNDLE_\w+__/i.test(
      name,
    )
  )
    return undefined
  if (names.has(name)) return names.get(name)
  if (names.size >= 4096) names.clear()
  const found = SESSION_COOKIE.test(name) ? SESSION : HOST_LOGIN.test(name) ? LOGIN : judgeName(splitWords(name))
  const judged = found?.strength === 'token' && ISSUED.test(name) ? { ...found, isIssued: true as const } : found
  names.set(name, judged)
  return judged
}

/** Cookies of frameworks that are a login by themselves; other names of sessions are ordinary ids. */
const SESSION_COOKIE = /^(?:PHPSESSID|JSESSIONID|\w{1,30}_session|connect\.sid|ASP\.NET_SessionId|\.ROBLOSECURITY)$/
/** Where Bundler keeps the login of a host. */
const HOST_LOGIN = /^BUNDLE_[A-Z0-9_]+__[A-Z0-9_]+$/
const LOGIN: SecretName = { kind: 'password', strength: 'secret' }
const SESSION: SecretName = { kind: 'cookie', strength: 'token' }

const ISSUED = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_TOKEN$/

function judgeName(words: string[]): SecretName | undefined {
  while (words.length > 1 && (TAILS.has(words.at(-1) ?? '') || hasDigit(words.at(-1) ?? ''))) words.pop()
  const last = words.at(-1) ?? ''
  // client-key-data of a kubeconfig.
  if (last === 'data' && words.at(-2) === 'key') return judgeName(words.slice(0, -1))
  const owner = words.at(-2) ?? ''
  if (PASSWORD_WORD.test(last) || last === 'pwd' || last === 'pw') return { kind: 'password', strength: 'password' }
  if (last === 'pass' && PASS_OWNERS.has(owner)) return { kind: 'password', strength: 'password' }
  if (last === 'psk') return { kind: 'password', strength: 'password' }
  if (last === 'string' && owner === 'secret') return { kind: 'secret', strength: 'secret' }
  if (last === 'signature' && (words.includes('amz') || words.includes('goog'))) return { kind: 'token', strength: 'secret' }
  if (last === 'pass' && owner === '') return { kind: 'password', strength: 'pass' }
  if (last === 'pat' && owner !== '') return { kind: 'token', strength: 'token' }
  if (last.endsWith('secret')) return { kind: 'secret', strength: 'secret' }
  if (last === 'login' && owner.endsWith('sonar')) return { kind: 'token', strength: 'secret' }
  if (last === 'id' && owner === 'key' && words.at(-3) === 'access') return { kind: 'token', strength: 'token' }
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

const PROMPT_DEFAULT = / \[(?:None|\*{4,20}\w{0,4})\]$/
const ARRAY_SIZE = /\[\d{0,5}$/
const QUOTE_ENTITY = /&(?:quot|apos|#0?3[49]|#x2[27]);$/i
/** Before a type: `password: &str`, `password: &'static str`, `password As String`. */
const TYPED_BY = /(?::\s?(?:&\s?(?:'\w{1,8} )?)?|\sAs\s)$/i

/** The name left of a separator, without quotes, brackets and the marks of optional fields; at most 64 characters of it. */
export function nameBefore(text: string, separator: number): string {
  let end = separator
  // A prompt shows its default: `AWS Secret Access Key [None]:`.
  if (text.charCodeAt(end - 1) === 0x5d) end -= PROMPT_DEFAULT.exec(text.slice(Math.max(0, end - 28), end))?.[0].length ?? 0
  const floor = Math.max(0, end - 8)
  while (end > floor && isBetween(text.charCodeAt(end - 1))) end--
  // `char password[32] = "…"`
  if (text[end] === ']') end -= ARRAY_SIZE.exec(text.slice(Math.max(0, end - 6), end))?.[0].length ?? 0
  if (text.charCodeAt(end - 1) === 0x3b) end -= QUOTE_ENTITY.exec(text.slice(Math.max(0, end - 6), end))?.[0].length ?? 0
  let start = end
  const limit = Math.max(0, end - LONGEST_NAME)
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start--
  // People write 'API key: …' with a space.
  if (end - start === 3 && /^key$/i.test(text.slice(start, end)) && text[start - 1] === ' ') {
    start--
    while (start > limit && isNameCode(text.charCodeAt(start - 1))) start--
  }
  const name = text.slice(start, end)
  const typed =
    name.length < 7 && /^(?:string|str|bytes|any)$/i.test(name) ? TYPED_BY.exec(text.slice(Math.max(0, start - 14), start)) : null
  if (typed !== null) return nameBefore(text, start - typed[0].length)
  // The letter of an escape: `\\nsmtp_pass=…`.
  const isEscaped = text[start - 1] === '\\' && /^[nrt]/.test(name)
  return isEscaped && secretName(name) === undefined ? name.slice(1) : name
}

/** Between name and value: the sign, spaces, a colour that was written out, an anchor or tag of YAML, the type that wraps a string, the prefix of one. */
const SEPARATOR =
  /(?::=|=>|={1,3}|:\*{0,2}|→|：|<-)[ \t]{0,8}(?:(?:\\{1,2}(?:x1b|u001b|033|e)|\^\[)?\[\d[\d;]{0,16}m)?(?:(?:&[\w-]{1,40}|!{1,2}(?:str|binary|unsafe))[ \t]{1,4}){0,2}(?:(?:new[ \t])?(?:String|SecretStr|SecureString|Secret|Some|bytes|str|Buffer\.from|\[\]byte)\((?=["']))?(?:[brfun]{1,2}(?=["']))?/iy
const OPENING_QUOTE = /(\\{0,3})(["'`]|&(?:quot|apos|#0?3[49]|#x2[27]);)/iy
const BARE = /[^\s"'`,;()[\]{}<>&|\\]{1,128}/y
const BARE_REST = /[^\s"'`,;()[\]{}<>&|\\]*/y
const BARE_ENV = /[^\s"'`\\]{1,128}/y
/** Also as two strings of a list: `["--token", "…"]`. */
const FLAG = /--[a-z][a-z0-9-]{1,40}(?: {1,4}(?=[^\s-])|["'],\s{0,4}(?=["'][^\s"'-][^\s"']{3,511}["']))/iy
/** The secret value assigned by the separator at `at`. */
export function matchAssignment(text: string, at: number, name: string): Match | undefined {
  const secret = secretName(name)
  // 'GPG key: …' and its like are followed by fingerprints.
  if (secret === undefined || (secret.strength === 'token' && name.includes(' '))) return undefined
  SEPARATOR.lastIndex = at
  const separator = SEPARATOR.exec(text)?.[0]
  const isComparison = text[at] === '=' && text[at - 1] === '!'
  if (separator === undefined || isComparison || text[at + 1] === ':') return undefined
  const start = at + separator.length
  // An environment line takes all up to the next space, and its value is never code.
  const isEnv = separator === '=' && /^[A-Z][A-Z0-9_]+$/.test(name)
  // Nor is that of a command-line flag.
  const isFlag = separator === '=' && name.startsWith('--')
  const match = matchValue(text, start, { ...secret, isEnv, isFlag, isCapital: /^P/.test(name) }) ?? matchBelow(text, start, secret)
  return match ?? (/(?:auth|credentials?)$/i.test(name) ? matchLogin(text, start) : undefined)
}

const LOGIN_VALUE = /(["'])[\w.@+-]{2,64}:([^\s"']{6,128})\1/y

/** `auth: "user:password"` */
function matchLogin(text: string, at: number): Match | undefined {
  LOGIN_VALUE.lastIndex = at
  const [whole, , value = ''] = LOGIN_VALUE.exec(text) ?? []
  if (whole === undefined || !isScrambled(value) || isPlaceholder(value)) return undefined
  const end = at + whole.length - 1
  return { found: [{ kind: 'password', start: end - value.length, end }], next: end }
}

const TERRAFORM_VARIABLE = /variable\s{1,4}"([\w-]{1,63})"\s{0,4}\{[^{}]{0,160}$/

/** The name that a default belongs to: of the variable of Terraform around it. */
export function variableAround(text: string, at: number): string | undefined {
  return TERRAFORM_VARIABLE.exec(text.slice(Math.max(0, at - 240), at))?.[1]
}

/** The value at `at`, which a statement gives a name; `isEnv` where a value is never code. */
export function matchNamedValue(
  text: string,
  at: number,
  { name, isEnv }: { readonly name: string; readonly isEnv: boolean },
): Match | undefined {
  const secret = secretName(name)
  const isVariable = /^["']?[$%(]/.test(text.slice(at, at + 2))
  return secret === undefined || isVariable ? undefined : matchValue(text, at, { ...secret, isEnv, isFlag: false, isCapital: false })
}

const DEFAULT = /(?:\|\||\?\?)=?\s{1,8}(?=(["'`])[^\s"'`]{4,256}\1)/y

/** `process.env.DB_PASSWORD || 'hunter2'`, from the sign on. */
export function matchDefault(text: string, at: number): Match | undefined {
  DEFAULT.lastIndex = at
  const sign = DEFAULT.exec(text)?.[0]
  return sign === undefined ? undefined : matchNamedValue(text, at + sign.length, { name: nameBefore(text, at), isEnv: false })
}

/** Alone on the line below its name, as YAML folds it and formatters break it. A name with a colon is another field. */
const BELOW = /(?:[|>][+-]?[ \t]{0,4})?\r?\n[ \t]{1,40}(["'`]?)([^\s"'`]{4,512})\1[ \t]{0,8},?[ \t]{0,8}(?=\r?\n|$)/y

function matchBelow(text: string, at: number, secret: SecretName): Match | undefined {
  BELOW.lastIndex = at
  const match = BELOW.exec(text)
  if (match === null) return secret.strength === 'password' ? spokenBelow(text, at) : undefined
  const [whole, quote = '', value = ''] = match
  if (/[:,;({[]$|^[\w.]+\(.*\)$/.test(value) || isPlaceholder(value) || !acceptsCell(value, secret, quote !== '')) return undefined
  const start = at + whole.lastIndexOf(value)
  const kind = matchShape(text, start)?.found[0]?.kind ?? secret.kind
  return { found: [{ kind, start, end: start + value.length }], next: start + value.length }
}

/** `--password hunter2`: a flag and its value. */
export function matchFlag(text: string, at: number): Match | undefined {
  FLAG.lastIndex = at
  const flag = FLAG.exec(text)?.[0]
  const secret = flag === undefined ? undefined : secretName(flag.replace(/["',\s]+$/, ''))
  return flag === undefined || secret === undefined
    ? undefined
    : matchValue(text, at + flag.length, { ...secret, isEnv: false, isFlag: true, isCapital: false })
}

/** Not indented, or behind an empty line: as web pages are copied. */
const LOOSELY_BELOW = /(?:\r?\n){1,2}[ \t]{0,8}(["'`]?)([^\s"'`]{8,128})\1(?=[ \t]{0,8}(?:\r?\n|$))/y

function spokenBelow(text: string, at: number): Match | undefined {
  LOOSELY_BELOW.lastIndex = at
  const [whole, quote = '', value = ''] = LOOSELY_BELOW.exec(text) ?? []
  if (whole === undefined || !isScrambled(value) || /[:,;({[/=.]/.test(value) || !isApart(value) || isPlaceholder(value)) return undefined
  const end = at + whole.length - quote.length
  return {
    found: [{ kind: matchShape(text, end - value.length)?.found[0]?.kind ?? 'password', start: end - value.length, end }],
    next: end,
  }
}

interface Target extends SecretName {
  readonly isEnv: boolean
  readonly isFlag: boolean
  readonly isCapital: boolean
}

/** A string of Lua. */
const LONG_BRACKET = /\[\[([^\s\],"']{4,256})\]\]/y

function matchValue(text: string, at: number, target: Target): Match | undefined {
  LONG_BRACKET.lastIndex = at
  const bracketed = text.charCodeAt(at) === 0x5b ? LONG_BRACKET.exec(text)?.[1] : undefined
  if (bracketed !== undefined && acceptsQuoted(bracketed, target) && !isPlaceholder(bracketed)) {
    const end = at + 2 + bracketed.length
    return { found: [{ kind: target.kind, start: at + 2, end }], next: end }
  }
  OPENING_QUOTE.lastIndex = at
  const quote = OPENING_QUOTE.exec(text)
  const start = at + (quote?.[0].length ?? 0)
  const head = quote === null ? bareEnd(text, start, target) : quotedEnd(text, start, quote)
  if (head === undefined || head === start) return undefined
  const value = text.slice(start, head)
  // Test runners print 'PASS: …'.
  if (quote === null && target.strength === 'pass' && target.isCapital && !(target.isEnv && isScrambled(value))) return undefined
  const accepted = quote === null ? acceptsBare(value, target) : acceptsQuoted(value, target)
  if (!accepted || value.startsWith('-----BEGIN') || isPlaceholder(value)) return undefined
  const shape = matchShape(text, start)?.found[0]
  const end = Math.max(value.length < LONGEST_HEAD ? head : restEnd(text, head), shape?.end ?? 0)
  return { found: [{ kind: shape?.kind ?? target.kind, start, end }], next: end }
}

/** Where the quoted value ends, on the same line; a quote escaped once more than the opening one belongs to the value. */
function quotedEnd(text: string, start: number, [opening, escapes = '', mark = '']: RegExpExecArray): number | undefined {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a) return undefined
    if (escapes !== '' && text.startsWith(opening, at)) return at
    if (escapes !== '') continue
    if (text.startsWith(mark, at)) return at
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
  if (!isEnv && isBracket(text.charCodeAt(end)) && !text.startsWith('</', end)) return undefined
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

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Looks generated: a long run of letters and digits, or one that changes between them again and again, as no id of ours does but UUIDs. */
export function isGenerated(value: string, isIssued: true | undefined): boolean {
  if (value.length < 20) return false
  if (UUID.test(value)) return isIssued === true
  return (
    hasRandomRun(value, 16) ||
    (value.length <= 256 && (isJumbled(value) || isUnspeakable(value))) ||
    (isWoven(value) && /^[\w+/=.~-]+$/.test(value))
  )
}

function isWoven(value: string): boolean {
  return value.length <= 256 && (value.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g) ?? []).length >= 7
}

export function acceptsQuoted(value: string, { strength, isIssued }: SecretName): boolean {
  // Several words without a digit are a label or a sentence.
  if (/\s/.test(value) && !hasDigit(value)) return false
  const isVaried = hasDigit(value) || /[^\w\s.-]/.test(value)
  if (strength === 'password') return isVaried ? value.length >= 4 : /^[A-Za-z]{6,}$/.test(value) && !/pass/i.test(value)
  if (strength === 'pass') return acceptsPass(value)
  if (strength === 'secret') return value.length >= 8 && (isVaried || ONE_CASE_RUN.test(value) || isJumbled(value))
  return isGenerated(value, isIssued)
}

/** Letters and numbers mixed as nobody names a variable, even where a part of it is a word. */
export function isChosen(value: string): boolean {
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

function acceptsBare(value: string, { strength, isEnv, isFlag, isIssued }: Target): boolean {
  if (isFlag) return value.length >= 4 && (strength === 'password' || hasDigit(value) || value.length >= 20)
  if (strength === 'token' && !isEnv) return isGenerated(value, isIssued)
  if (strength === 'token') return isJumbled(value) || (value.length >= 10 && hasDigit(value) && /[a-z]/i.test(value))
  if (strength === 'password' && !isEnv && isChosen(value)) return true
  if (!isEnv && isExpression(value)) return false
  if (strength === 'pass') return value.length >= 8 && acceptsPass(value)
  if (strength === 'secret' && (isJumbled(value) || (isEnv && value.length >= 20 && isMixedCase(value)))) return true
  if (strength === 'secret') return value.length >= 8 && ((hasDigit(value) && /[a-z]/i.test(value)) || ONE_CASE_RUN.test(value))
  if (isEnv) return value.length >= 4
  return value.length >= 6 && (hasDigit(value) || /[^\w.$:-]/.test(value))
}
