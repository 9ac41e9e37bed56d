/** Secrets inside a larger form: private key blocks, URLs with a password, authorization headers, cookies. The form around them stays. */
import { type Found, type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, hasRandomRun, isMixedCase, isPlaceholder } from './redact-values.ts'

const BEGIN = /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY(?: BLOCK)?-----/y
const END = /-----END [A-Z0-9 ]{0,60}-----/y
/** What may be between the two lines of a block: base64, line ends (also escaped), the headers of PEM and PGP, quotation marks. */
const BLOCK_BODY = /^[\w+/=\s\\:,.()<>@"'|#*-]*$/
const LONGEST_BLOCK = 65_536
/** One more line of a block that has no end: key material, a header, or a last short piece at the end of the text. */
const BLOCK_LINE =
  /(?:\\{1,2}[nr]|\s){0,8}[>|+"' \t]{0,8}(?:[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\r\n\\]{0,120}|[A-Za-z0-9+/=]{1,19}(?=[\s\\"']{0,4}$))/y

/** A private key, from its first line to its last; without a last line, to the end of its key material. */
export function matchPrivateKey(text: string, at: number): Match | undefined {
  BEGIN.lastIndex = at
  const begin = BEGIN.exec(text)
  if (begin === null) return undefined
  const bodyStart = at + begin[0].length
  const kind = begin[0].includes('PGP') ? 'pgp-private-key' : 'private-key'
  const dashes = text.indexOf('-----', bodyStart)
  END.lastIndex = dashes
  const closing = dashes < 0 || dashes - bodyStart > LONGEST_BLOCK ? undefined : END.exec(text)?.[0]
  let end = bodyStart
  if (closing !== undefined) {
    const body = text.slice(bodyStart, dashes)
    // Code that only names the two lines has no key between them.
    if (!BLOCK_BODY.test(body) || !/[A-Za-z0-9+/=]{20}/.test(body)) return undefined
    end = dashes + closing.length
  } else {
    for (let line = blockLineEnd(text, end); line > end; line = blockLineEnd(text, end)) end = line
    if (end - bodyStart < 20) return undefined
  }
  return { found: [{ kind, start: at, end }], next: end }
}

function blockLineEnd(text: string, at: number): number {
  BLOCK_LINE.lastIndex = at
  return at + (BLOCK_LINE.exec(text)?.[0].length ?? 0)
}

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
  const [, user = '', password = ''] = match ?? []
  if (match === null || isPlaceholder(password)) return undefined
  const start = userStart + user.length + 1
  const end = start + password.length
  const kind = matchShape(text, start)?.found[0]?.kind ?? (isDatabase ? 'database-password' : 'url-password')
  const inUser = matchShape(text, userStart)?.found.filter((found) => found.end < start) ?? []
  return { found: [...inUser, { kind, start, end }], next: end }
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const CURL_USER = /(?:-u|--user)[ =]{1,2}["']?[^\s:"'[]{1,64}:([^\s"']{1,128})/y

/** The password of `curl -u user:password`; other commands use the flag for numbers. */
export function matchCurlUser(text: string, at: number): Match | undefined {
  const match = execAt(CURL_USER, text, at)
  if (match === null) return undefined
  const line = text.slice(Math.max(0, at - 300), at)
  const [whole, password = ''] = match
  if (line.lastIndexOf('curl') <= line.lastIndexOf('\n') || isPlaceholder(password)) return undefined
  const end = at + whole.length
  return { found: [{ kind: 'password', start: end - password.length, end }], next: end }
}

/** A value is judged by its beginning; an accepted one is read to its end, a refused one is not read again and again. */
const REST = /[^\s"'`,;\\]*/y

function restEnd(text: string, at: number): number {
  return at + (execAt(REST, text, at)?.[0].length ?? 0)
}

const CREDENTIALS = /[:=]\s{0,4}\\{0,3}["'`]?((?:[A-Za-z][\w-]{1,40}\s{1,4})?)([^\s"'`,;\\]{8,512})/iy
const SCHEME =
  /^(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Negotiate|SSWS|OAuth|Bot|GenieKey|Splunk|Hawk|NTLM|AccessKey|Zoho-oauthtoken)\s/i

/** What follows `Authorization:`, without its scheme. */
export function matchAuthorization(text: string, at: number): Match | undefined {
  const match = execAt(CREDENTIALS, text, at)
  if (match === null) return undefined
  const [whole, scheme = '', credentials = ''] = match
  // Any other word may be a scheme nobody listed, or the beginning of a sentence.
  const isSecret = SCHEME.test(scheme) ? hasDigit(credentials) || isMixedCase(credentials) : hasRandomRun(credentials, 16)
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
  const found: Found[] = []
  let next = at + (execAt(COOKIE_START, text, at)?.[0].length ?? 1)
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
