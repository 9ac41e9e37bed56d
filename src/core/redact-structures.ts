/** Secrets inside a larger form: URLs with a password, authorization headers, cookies. The form around them stays. */
import { type Found, type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, hasRandomRun, isJumbled, isMixedCase, isPlaceholder } from './redact-values.ts'

const DATABASES =
  /^(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|oracle|snowflake|nats|couchdb)(?:\+|$)/i
/** A user with a bracket was redacted before: what is redacted once stays as it is. */
const USER_INFO = /([^\s/:@"'`<>()[\\,|?#]{0,128}):([^\s/"'`<>()\\,|?]{1,256})@(?=[\w[$])/y
/** Passwords in connection strings are often not percent-encoded: they may hold a slash, unless it follows a port. */
const LOOSE_USER_INFO = /([^\s/:@"'`<>()[\\,|?#]{1,128}):((?!\d{1,5}\/)[^\s"'`<>\\,|]{1,256})@(?=[\w[$])/y

/** The password of `scheme://user:password@host`, from the colon of the scheme on. */
export function matchUrlPassword(text: string, at: number): Match | undefined {
  const scheme = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, at - 24), at))?.[0]
  if (scheme === undefined) return undefined
  const isDatabase = DATABASES.test(scheme)
  const userStart = at + 3
  const match = execAt(USER_INFO, text, userStart) ?? (isDatabase ? execAt(LOOSE_USER_INFO, text, userStart) : null)
  if (match === null) return matchUrlToken(text, userStart)
  const [, user = '', password = ''] = match
  if (isPlaceholder(password)) return undefined
  const start = userStart + user.length + 1
  const end = start + password.length
  const kind = matchShape(text, start)?.found[0]?.kind ?? (isDatabase ? 'database-password' : 'url-password')
  const inUser = matchShape(text, userStart)?.found.filter((found) => found.end < start) ?? []
  return { found: [...inUser, { kind, start, end }], next: end }
}

const URL_TOKEN = /([\w.~+=-]{16,256})@(?=[\w[$])/y

/** `https://TOKEN@host`: no name of a user has letters of both cases in such an order, and digits. */
function matchUrlToken(text: string, at: number): Match | undefined {
  const token = execAt(URL_TOKEN, text, at)?.[1]
  if (token === undefined || !(hasDigit(token) && isJumbled(token)) || isPlaceholder(token)) return undefined
  const end = at + token.length
  return { found: [{ kind: matchShape(text, at)?.found[0]?.kind ?? 'url-password', start: at, end }], next: end }
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The fields of a line of `.pgpass`, by the port of the server; `user:password@tcp(` of Go. */
const PLACED = /:(?:543\d|6432|6543):[\w*.-]{1,64}:[\w*.-]{1,64}:([^\s:"'`]{4,128})(?=\s|$)|:([^\s:@"'`/]{3,128})@(?:tcp|unix)\(/y

/** A password that only its place tells. */
export function matchPlaced(text: string, at: number): Match | undefined {
  const match = text.charCodeAt(at) === 0x3a ? execAt(PLACED, text, at) : null
  if (match === null) return undefined
  const [whole, field, user] = match
  const password = field ?? user ?? ''
  if (isPlaceholder(password) || (field !== undefined && !hasDigit(field))) return undefined
  const start = at + whole.indexOf(password, field === undefined ? 1 : whole.length - password.length)
  return { found: [{ kind: 'database-password', start, end: start + password.length }], next: start + password.length }
}

/** Names that only a query gives a secret: `?key=…`, and what a login comes back with. */
const PARAMETER_NAME = /^.(?:key|code|appid|app_id|signature|sig|otp|ticket|hash|auth)$/i
const PARAMETER = /=([\w.~%+/-]{16,512}=?)(?=[&\s"'`#)\]>;,]|$)/y

export function matchParameter(text: string, at: number): Match | undefined {
  if (text.charCodeAt(at) !== 0x3d || !isParameterStart(text, at)) return undefined
  const value = execAt(PARAMETER, text, at)?.[1] ?? ''
  const isSecret = value.length >= 16 && hasDigit(value) && (hasRandomRun(value, 16) || isJumbled(value))
  if (!isSecret || isPlaceholder(value)) return undefined
  const end = at + 1 + value.length
  return { found: [{ kind: matchShape(text, at + 1)?.found[0]?.kind ?? 'token', start: at + 1, end }], next: end }
}

/** Behind `?` or `&`, which code has before other things only. */
function isParameterStart(text: string, at: number): boolean {
  let start = at - 1
  while (start > at - LONGEST_PARAMETER && isNamePart(text.charCodeAt(start))) start--
  const sign = text.charCodeAt(start)
  return (sign === 0x3f || sign === 0x26 || sign === 0x23) && PARAMETER_NAME.test(text.slice(start, at))
}

const LONGEST_PARAMETER = 11
const isNamePart = (code: number) => code === 0x5f || (code >= 0x41 && code <= 0x7a)

const CURL_USER =
  /(?:-[sSkLfgiv]{0,5}[uU][ =]{0,2}|(?:--user|--proxy-user)[ =]{1,2})\\{0,3}["']?[^\s:"'[]{1,64}:(?!\/\/)\\{0,3}["']?([^\s"'\\]{1,128})/y

/** The password of `curl -u user:password`; other commands use the flag for numbers. */
export function matchCurlUser(text: string, at: number): Match | undefined {
  const match = execAt(CURL_USER, text, at)
  if (match === null) return undefined
  const [whole, password = ''] = match
  if (!isCurl(text, at) || isPlaceholder(password)) return undefined
  const end = at + whole.length
  return { found: [{ kind: 'password', start: end - password.length, end }], next: end }
}

function isCurl(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - 300), at).replace(/\\\r?\n/g, '  ')
  return line.lastIndexOf('curl') > line.lastIndexOf('\n')
}

/** A value is judged by its beginning; an accepted one is read to its end, a refused one is not read again and again. */
const REST = /[^\s"'`,;\\]*/y

function restEnd(text: string, at: number): number {
  return at + (execAt(REST, text, at)?.[0].length ?? 0)
}

const CREDENTIALS = /[:=][ \t]{0,4}\\{0,3}["'`]?((?:[A-Za-z][\w-]{1,40}[ \t]{1,4})?)([^\s"'`,;\\]{8,512})/iy
const SCHEME =
  /^(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Negotiate|SSWS|OAuth|Bot|GenieKey|Splunk|Hawk|NTLM|AccessKey|Zoho-oauthtoken)\s/i

/** A key without a scheme, all that the header holds. */
const KEY = /^(?=.*[A-Za-z])[\w.~+/=-]{16,}$/

function isAlone(text: string, at: number): boolean {
  return at === text.length || /["'`\r\n\\]/.test(text[at] ?? '')
}

/** What follows `Authorization:`, without its scheme. */
export function matchAuthorization(text: string, at: number): Match | undefined {
  const match = execAt(CREDENTIALS, text, at)
  if (match === null) return undefined
  const [whole, scheme = '', credentials = ''] = match
  // Any other word may be a scheme nobody listed, or the beginning of a sentence.
  const isSecret = SCHEME.test(scheme)
    ? hasDigit(credentials) || isMixedCase(credentials)
    : hasRandomRun(credentials, 16) || (scheme === '' && isAlone(text, at + whole.length) && KEY.test(credentials) && hasDigit(credentials))
  if (!isSecret || isPlaceholder(credentials)) return undefined
  const start = at + whole.length - credentials.length
  const end = restEnd(text, at + whole.length)
  const kind = matchShape(text, start)?.found[0]?.kind ?? 'authorization'
  return { found: [{ kind, start, end }], next: end }
}

const COOKIE_START = /[:=]\s{0,4}\\{0,3}["'`]?/y
const COOKIE = /([^\s=;,"'`\\]{1,128})=([^\s;,"'`\\]{0,512})(?:;[ \t]{0,4})?/y
const MOST_COOKIES = 64
const SESSION_NAME = /sess|sid|auth|token|jwt|csrf|xsrf|login|remember|secret|key|connect/i

/** The values of session cookies in a `Cookie:` or `Set-Cookie:` header. */
export function matchCookies(text: string, at: number): Match | undefined {
  return cookiesFrom(text, at + (execAt(COOKIE_START, text, at)?.[0].length ?? 1))
}

const CURL_COOKIE = /(?:-b|--cookie)[ =]{1,2}\\{0,3}["']?/y

/** The same in `curl -b 'name=value'`. */
export function matchCurlCookies(text: string, at: number): Match | undefined {
  const flag = execAt(CURL_COOKIE, text, at)?.[0]
  return flag === undefined || !isCurl(text, at) ? undefined : cookiesFrom(text, at + flag.length)
}

function cookiesFrom(text: string, start: number): Match | undefined {
  const found: Found[] = []
  let next = start
  for (let pairs = 0; pairs < MOST_COOKIES; pairs++) {
    const [whole, name = '', value = ''] = execAt(COOKIE, text, next) ?? []
    if (whole === undefined) break
    const start = next + name.length + 1
    const isLong = value.length >= 8 && (hasDigit(value) || isMixedCase(value))
    const isSession = SESSION_NAME.test(name) ? isLong : hasRandomRun(value, 16)
    next += whole.length
    if (isSession && !isPlaceholder(value)) {
      const end = restEnd(text, start + value.length)
      found.push({ kind: matchShape(text, start)?.found[0]?.kind ?? 'cookie', start, end })
      next = Math.max(next, end)
    }
    if (!whole.includes(';')) break
  }
  return found.length === 0 ? undefined : { found, next }
}
