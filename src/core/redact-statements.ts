/** Secrets that a statement of a shell, a database or a language gives a name: `set -x NAME value`, `IDENTIFIED BY 'x'`, `define('NAME', 'x')`. */
import { matchNamedValue } from './redact-assignment.ts'
import { CALL_PATTERNS, matchCall } from './redact-calls.ts'
import { type Match, matchShape } from './redact-kinds.ts'
import { foundAt, matchPositional, POSITIONAL_PATTERNS } from './redact-positional.ts'
import { hasDigit, isAlnum, isMixedCase, isPlaceholder, isScrambled } from './redact-values.ts'

/** The shell's word for the statement, flags, and the name. */
const SHELL_SET =
  /(?:set[ \t]+(?:-[A-Za-z]{1,4}[ \t]+|--[a-z]{3,10}[ \t]+){1,3}|setenv[ \t]+|setx[ \t]+|ENV[ \t]+)["']?([A-Za-z][\w.-]{1,63})["']?[ \t]{1,8}/y
/** People say it: 'set DB_PASSWORD to …'. */
const SAID_SET = /set[ \t]+[`"']?([A-Z][A-Z0-9_]{2,63})[`"']?[ \t]+to[ \t]+(["'`]?)([^\s"'`,;]{8,128})/iy
const TOOL_SET =
  /(?:(?:configure|config|dotnet[ \t]+user-secrets|secrets?)[ \t]+(?:set|put|add)|netlify[ \t]+env:set)[ \t]+(?:--?[\w-]{1,24}[ \t]+){0,3}["']?(?:[\w./:@-]{0,120}[:/.])?([A-Za-z_][\w-]{1,63})["']?[ \t]{1,8}(?:(?:--body|-b|--value|--)[ \t]+)?/y
const CALL =
  /(?:define|environ\.get|[sg]etenv|[SG]etenv|putenv|setdefault|getOrDefault|setProperty|setItem|SetEnvironmentVariable|env)\(\s{0,4}(["'])([A-Za-z][\w.-]{1,63})\1\s{0,4},\s{0,8}(?=["'])/y
/** A name and its value in quotes, with nothing between them: Gradle, Clojure, `#define`, SQL. */
const QUOTED_NAME =
  /((?:store|key)Password|password|passwd|passphrase|api[_-]?key|secret|(?<=(?:PRAGMA|pragma)[ \t]{1,4})key[ \t]{0,4}=|(?<=\bAS[ \t]+\w{1,40}[ \t]+)KEY|define[ \t]+[A-Za-z_]\w{1,63})[ \t]{1,8}(\\{0,3}["'])([^"'\n\\]{6,256})\2/iy
/** A name and its value as arguments of whatever keeps or gives settings. */
const KEPT =
  /(?:fetch|set|get|put|append|add|store|header)\(\s{0,4}(["'])([A-Za-z][\w.-]{1,63})\1(?:\s{0,4},\s{0,8}|\)\s{0,4}\{\s{0,4})(["'])([^"'\n]{6,256})\3/iy
/** A user and a password as arguments. */
const LOGIN_ARGUMENTS =
  /\s{0,4}(?:[=:]\s{0,4})?[([]\s{0,8}(?:[^()"'\n]{1,80},\s{0,8}|["'][^"'\n]{1,120}["']\s{0,4},\s{0,8}){0,1}["'][^"'\n]{1,64}["']\s{0,4},\s{0,8}(["'])([^"'\n]{8,128})\1/
    .source
const LOGIN = new RegExp(
  `(?:(?:set_?)?(?:http_?)?basic_?auth|getConnection|mysqli_connect|login|authenticate|auth)${LOGIN_ARGUMENTS}`,
  'iy',
)
/** `new NetworkCredential('name', 'x')`: only its end tells the word. */
const CREDENTIAL = new RegExp(`\\w{0,24}Credentials?${LOGIN_ARGUMENTS}`, 'iy')
const JOINS_WIFI = /wifi\.begin\(\s{0,4}"[^"\n]{1,40}"\s{0,4},\s{0,8}(")([^"\n]{8,64})"/iy
/** What somebody chose, or a machine: letters of both cases and digits, and no word or name. */
const isChosen = (value: string) => (hasDigit(value) && isMixedCase(value) && !/\s/.test(value)) || isScrambled(value)
/** Between quotes and behind a name, letters and digits are enough. */
const isNamedChosen = (value: string) =>
  isChosen(value) || (value.length >= 8 && hasDigit(value) && /[a-z]/i.test(value) && !/[\s/]/.test(value))
/** `env "NAME" | default "…"` of Go and Helm. */
const TEMPLATE_DEFAULT = /env[ \t]+["']([A-Za-z]\w{1,63})["'][ \t]{0,4}\|[ \t]{0,4}default[ \t]+(?=["'])/y
const SETQ = /setq[ \t]+([A-Za-z][\w-]{1,63})[ \t]+(?=")/y
/** `.password("X")`, `setPassword("X")`. */
const BUILT = /(?:(?:set|with)[A-Z]?[A-Za-z]{0,20}Pass(?:word|phrase|wd)|(?<=\.)password)\(\s{0,4}(?=["'])/y
const INSERT = /insert\s{1,8}into\s{1,8}[\w.`"[\]]{1,128}\s{0,8}\(([^()]{1,400})\)\s{0,8}values\s{0,8}\(([^()]{1,1200})\)/iy
const IDENTIFIED =
  /identified[ \t]+(?:with[ \t]+\S{1,64}[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+)?(?:'([^'\n]{1,256})'|"([^"\n]{1,256})"|([^\s;'"`]{3,128}))/iy
const SQL_PASSWORD =
  /password[ \t]+for[ \t]+[^\s;]{1,64}[ \t]{0,4}=[ \t]{0,4}'([^'\n]{1,256})'|password[ \t]{1,8}N?'([^'\n]{1,256})'|password\(\s{0,4}'([^'\n]{1,256})'\s{0,4}\)/iy
const SQL_BEFORE =
  /(?:(?:\b|\\[nrt])(?:create|alter|set)\s+(?:user|role|login|group|password|database|master\s+key)\b[^;]{0,240}|\bwith\s+(?:encrypted\s+|unencrypted\s+)?)$/i
const SECURE_STRING = /ConvertTo-SecureString[ \t]+(?:-\w{3,16}[ \t]+){0,3}(\\{0,3}["'])([^"'\n]{1,256}?)\1/iy

/** The secret in the statement that the word at `at` begins. */
export function matchStatement(text: string, at: number): Match | undefined {
  return bySide(text, at) ?? byWord(text, at) ?? (isCalled(text, at) ? matchCall(text, at) : undefined)
}

/** A bracket follows soon: the longest name of a call has 24 letters. */
function isCalled(text: string, at: number): boolean {
  for (let end = at + 3; end < at + 28; end++) {
    const code = text.charCodeAt(end)
    if (code === 0x28) return true
    if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isCallSign(code))) return code === 0x3a
  }
  return false
}

/** `.`, `_`, `>` and the brackets and colons of .NET. */
const isCallSign = (code: number) => code === 0x2e || code === 0x5f || code === 0x2d || code === 0x3e || code === 0x5d || code === 0x32

function byWord(text: string, at: number): Match | undefined {
  switch (text.charCodeAt(at) | 0x20) {
    case 0x73: // s
      return (
        byName(text, at, SHELL_SET, { isEnv: true }) ??
        byName(text, at, TOOL_SET, { isEnv: true }) ??
        byName(text, at, SETQ, { isEnv: false }) ??
        byCall(text, at) ??
        built(text, at) ??
        saidSet(text, at) ??
        matchPositional(text, at)
      )
    case 0x65: // e
      return (
        byName(text, at, SHELL_SET, { isEnv: false }) ??
        byCall(text, at) ??
        byName(text, at, TEMPLATE_DEFAULT, { isEnv: false }) ??
        matchPositional(text, at)
      )
    case 0x61: // a
    case 0x6c: // l
    case 0x75: // u
    case 0x62: // b
    case 0x6d: // m
    case 0x76: // v
      return matchPositional(text, at)
    case 0x63: // c
      return (
        byName(text, at, TOOL_SET, { isEnv: true }) ??
        quoted(text, execAt(SECURE_STRING, text, at), 'password') ??
        matchPositional(text, at)
      )
    case 0x64: // d
      return byCall(text, at) ?? byName(text, at, TOOL_SET, { isEnv: true })
    case 0x67: // g
      return byCall(text, at) ?? matchPositional(text, at)
    case 0x69: // i
      return identifiedBy(text, at) ?? inserted(text, at) ?? matchPositional(text, at)
    case 0x6e: // n
      return byName(text, at, TOOL_SET, { isEnv: true }) ?? matchPositional(text, at)
    case 0x68: // h
    case 0x72: // r
    case 0x74: // t
    case 0x66: // f
    case 0x77: // w
    case 0x78: // x
      return matchPositional(text, at)
    case 0x70: // p
      return byCall(text, at) ?? sqlPassword(text, at) ?? built(text, at) ?? matchPositional(text, at)
    default:
      return undefined
  }
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function byName(text: string, at: number, pattern: RegExp, { isEnv }: { readonly isEnv: boolean }): Match | undefined {
  const match = execAt(pattern, text, at)
  return match === null ? undefined : matchNamedValue(text, at + match[0].length, { name: match[1] ?? '', isEnv })
}

function saidSet(text: string, at: number): Match | undefined {
  const match = execAt(SAID_SET, text, at)
  if (match === null) return undefined
  const [whole, name = '', quote = '', value = ''] = match
  const isMixed = hasDigit(value) && /[a-z]/i.test(value)
  return isMixed ? matchNamedValue(text, at + whole.length - value.length - quote.length, { name, isEnv: false }) : undefined
}

function byCall(text: string, at: number): Match | undefined {
  const match = execAt(CALL, text, at)
  return match === null ? undefined : matchNamedValue(text, at + match[0].length, { name: match[2] ?? '', isEnv: false })
}

/** A value in quotes that a name alone stands before, or a call that keeps it. */
function bySide(text: string, at: number): Match | undefined {
  const letter = String.fromCharCode(text.charCodeAt(at) | 0x20)
  const plain = 'skpad'.includes(letter) ? execAt(QUOTED_NAME, text, at) : null
  if (plain !== null)
    return byNameBeside(text, { name: nameOf(plain[1] ?? ''), value: plain[3] ?? '', end: at + plain[0].length - (plain[2]?.length ?? 1) })
  const kept = 'fsgpah'.includes(letter) ? execAt(KEPT, text, at) : null
  if (kept !== null) return byNameBeside(text, { name: kept[2] ?? '', value: kept[4] ?? '', end: at + kept[0].length - 1 })
  // NetworkCredential is a call, too.
  if (letter === 'n') return chosen(text, execAt(CREDENTIAL, text, at))
  return chosen(text, 'shbgmla'.includes(letter) ? execAt(LOGIN, text, at) : letter === 'w' ? execAt(JOINS_WIFI, text, at) : null)
}

function chosen(text: string, login: RegExpExecArray | null): Match | undefined {
  const value = login?.[2] ?? ''
  return login === null || !isChosen(value) ? undefined : foundAt(text, { value, kind: 'password', end: login.index + login[0].length - 1 })
}

const CREDENTIAL_WORD = /credentials?$/i
const LONGEST_OWNER = 24

/** The password behind a word that ends as `NetworkCredential` and `aws_credentials` do, from its last run of letters on. */
export function matchCredential(text: string, start: number, end: number): Match | undefined {
  if (!CREDENTIAL_WORD.test(text.slice(Math.max(start, end - 'credentials'.length), end))) return undefined
  let first = start
  while (first > end - LONGEST_OWNER - 'credentials'.length && isWordCode(text.charCodeAt(first - 1))) first--
  return chosen(text, execAt(CREDENTIAL, text, first))
}

const isWordCode = (code: number) => isAlnum(code) || code === 0x5f

/** Of `define X` the last word; a key of a database is its password. */
function nameOf(words: string): string {
  return /^key/i.test(words) && !/password/i.test(words) ? 'password' : (words.split(/[ \t]+/).at(-1) ?? '')
}

interface Beside {
  readonly name: string
  readonly value: string
  readonly end: number
}

function byNameBeside(text: string, { name, value, end }: Beside): Match | undefined {
  return isNamedChosen(value) ? matchNamedValue(text, end - value.length - 1, { name, isEnv: false }) : undefined
}

function quoted(text: string, match: RegExpExecArray | null, kind: string): Match | undefined {
  const value = match?.[2]
  if (match === null || value === undefined) return undefined
  return foundAt(text, { value, kind, end: match.index + match[0].length - (match[1]?.length ?? 1) })
}

function built(text: string, at: number): Match | undefined {
  const match = execAt(BUILT, text, at)
  return match === null ? undefined : matchNamedValue(text, at + match[0].length, { name: 'password', isEnv: false })
}

/** The value of a column that is named for a secret. */
function inserted(text: string, at: number): Match | undefined {
  const match = execAt(INSERT, text, at)
  if (match === null) return undefined
  const [whole, columns = '', values = ''] = match
  const names = columns.split(',').map((name) => name.replace(/[\s`"[\]]/g, ''))
  const given = values.split(',')
  if (names.length !== given.length) return undefined
  let start = at + whole.length - 1 - values.length
  const found = given.flatMap((value, i) => {
    const from = start + (value.length - value.trimStart().length)
    start += value.length + 1
    return /^\s*N?'/.test(value) ? (matchNamedValue(text, from, { name: names[i] ?? '', isEnv: false })?.found ?? []) : []
  })
  return found.length === 0 ? undefined : { found, next: at + whole.length }
}

const USER_BEFORE = /\b(?:user|role|grant)\b[^;]*$/i

/** In the capitals of SQL, or behind the user that it is for; without quotes only in capitals, or with a digit: 'identified by' is also plain English. */
function identifiedBy(text: string, at: number): Match | undefined {
  const match = execAt(IDENTIFIED, text, at)
  if (match === null) return undefined
  const [whole, single, double, bare] = match
  const isSql = whole.startsWith('IDENT') || USER_BEFORE.test(text.slice(Math.max(0, at - 240), at))
  if (!isSql || (bare !== undefined && !whole.startsWith('IDENT') && !hasDigit(bare))) return undefined
  return foundAt(text, { value: single ?? double ?? bare ?? '', kind: 'password', end: at + whole.length - (bare === undefined ? 1 : 0) })
}

function sqlPassword(text: string, at: number): Match | undefined {
  const match = execAt(SQL_PASSWORD, text, at)
  if (match === null || !SQL_BEFORE.test(text.slice(Math.max(0, at - 320), at))) return undefined
  const [whole, changed, plain, called] = match
  const value = changed ?? plain ?? called ?? ''
  return foundAt(text, { value, kind: 'password', end: at + whole.lastIndexOf(value) + value.length })
}

/** What reads a password or token from its input. */
const READS_SECRET =
  /\|[ \t]{0,4}(?:\\\r?\n[ \t]{0,16})?(?:sudo[ \t]+)?(?:(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|gh|glab|az|oc|argocd|npm)[ \t][^|\n]{0,200}?--(?:password-stdin|with-token|stdin)|sudo[ \t]+-S|kinit\b|gpg2?[ \t][^|\n]{0,200}?--passphrase-fd|hdiutil[ \t][^|\n]{0,200}?-stdinpass|gcloud[ \t]+secrets[ \t]+(?:create|versions)|su\b(?![\w./-])|passwd\b|ConvertTo-SecureString|passwd[ \t]+--stdin|openconnect[ \t][^|\n]{0,200}?--passwd-on-stdin|chpasswd|cryptsetup|(?:wrangler|gh|fly|vercel|doppler)[ \t]+(?:secrets?|env)[ \t]+(?:put|set|add)|docker[ \t]+(?:login|secret[ \t]+create))/y
const PRINTED =
  /(?:(?:echo|printf|yes|Write-Output)[ \t]+(?:-[neE]{1,3}[ \t]+)?(?:["']?%s(?:\\n)?["']?[ \t]+)?|[=(][ \t]{0,4}(?=["']))(\\{0,3}["']|)([^"'\n|]{4,512}?)\1[ \t]*$/

/** `echo X | docker login --password-stdin`, from the bar on; nothing before `floor` is read again. */
export function matchPassedOn(text: string, at: number, floor: number): Match | undefined {
  const match = text.charCodeAt(at + 1) === 0x7c ? null : execAt(READS_SECRET, text, at)
  if (match === null) return undefined
  const before = text.slice(Math.max(floor, at - 640), at)
  const printed = PRINTED.exec(before)
  if (printed === null) return undefined
  const [whole, quote = '', value = ''] = printed
  if (isPlaceholder(value) || (/\s/.test(value) && quote === '')) return undefined
  const from = at - before.length + printed.index + whole.lastIndexOf(value)
  // `user:password` of chpasswd.
  const start = from + (match[0].includes('chpasswd') ? value.indexOf(':') + 1 : 0)
  const kind = matchShape(text, start)?.found[0]?.kind ?? 'password'
  return { found: [{ kind, start, end: from + value.length }], next: at + 1 }
}

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

/** The credential whose sign is at `at`; it does not begin before `floor`. */
export function matchSuffix(text: string, at: number, floor: number): Match | undefined {
  const second = text.charCodeAt(at + 1)
  // Most dashes and underlines: neither `-us`, `_mmk`, `atlasv1` nor `ACR`.
  if (text.charCodeAt(at) !== 0x7e && second !== 0x75 && second !== 0x6d && second !== 0x74 && second !== 0x43) return undefined
  for (const { sign, before, after, kind } of SUFFIXES) {
    if (!text.startsWith(sign, at)) continue
    const rest = execAt(after, text, at)?.[0]
    const head = rest === undefined ? undefined : before.exec(text.slice(Math.max(floor, at - 48), at))?.[0]
    if (rest === undefined || head === undefined || !(hasDigit(head + rest) || isMixedCase(head + rest))) continue
    const end = at + rest.length
    return { found: [{ kind, start: at - head.length, end }], next: end }
  }
  return undefined
}

/** The rules that begin with a word. */
export const STATEMENT_PATTERNS: readonly RegExp[] = [
  SHELL_SET,
  SAID_SET,
  TOOL_SET,
  CALL,
  QUOTED_NAME,
  KEPT,
  LOGIN,
  JOINS_WIFI,
  TEMPLATE_DEFAULT,
  SETQ,
  BUILT,
  INSERT,
  IDENTIFIED,
  SQL_PASSWORD,
  SECURE_STRING,
  ...CALL_PATTERNS,
  ...POSITIONAL_PATTERNS,
  ...SUFFIXES.filter(({ sign }) => /^[A-Za-z]/.test(sign)).map(({ after }) => after),
]

/** Shorter words are not looked at. */
export const LONG_WORD = 40
/** Azure writes the service into its keys: DevOps at the end of a token of 84 characters, search into one of 52, others behind `JQQJ99`. */
const DEVOPS_LENGTH = 84
const SEARCH_LENGTH = 52
const JQQJ99_AT = 52
const LONGEST_SERVICE_WORD = 56
/** New Relic's licences end in their name, RapidAPI's keys have theirs inside. */
const LICENCE = /^[0-9a-f]{36}NRAL$/
const RAPID = /^[0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{10,12}$/

/** The key that a long run of letters and digits is. */
export function matchLongWord(text: string, start: number, end: number): Match | undefined {
  const length = end - start
  if (length > DEVOPS_LENGTH) return undefined
  const kind = isAzureWord(text, start, end)
    ? 'azure-key'
    : length <= LONGEST_SERVICE_WORD && isServiceWord(text.slice(start, end)) && !isInBase64(text, start, end)
      ? 'service-token'
      : undefined
  return kind === undefined ? undefined : { found: [{ kind, start, end }], next: end }
}

const isInBase64 = (text: string, start: number, end: number) => /[+/]/.test(text[start - 1] ?? '') || /[+/=]/.test(text[end] ?? '')

function isAzureWord(text: string, start: number, end: number): boolean {
  if (end - start === DEVOPS_LENGTH && text.startsWith('AZDO', end - 8)) return true
  if (end - start === SEARCH_LENGTH && text.startsWith('AzSe', end - 10)) return true
  return end - start >= 76 && text.startsWith('JQQJ99', start + JQQJ99_AT)
}

/** Seeds of Stellar, and keys of Bitcoin as wallets export them. */
const WALLET = /^(?:S[A-Z2-7]{55}|[KL][1-9A-HJ-NP-Za-km-z]{51}|5[1-9A-HJ-NP-Za-km-z]{50})$/

const isServiceWord = (word: string) =>
  LICENCE.test(word) || RAPID.test(word) || (WALLET.test(word) && hasDigit(word.slice(1)) && (word.length === 56 || isMixedCase(word)))

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
