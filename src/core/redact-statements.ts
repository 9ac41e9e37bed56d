/** Secrets that a statement of a shell, a database or a language gives a name: `set -x NAME value`, `IDENTIFIED BY 'x'`, `define('NAME', 'x')`. */
import { matchNamedValue } from './redact-assignment.ts'
import { type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, isAlnum, isMixedCase, isPlaceholder } from './redact-values.ts'

/** The shell's word for the statement, flags, and the name. */
const SHELL_SET =
  /(?:set[ \t]+(?:-[A-Za-z]{1,4}[ \t]+|--[a-z]{3,10}[ \t]+){1,3}|setenv[ \t]+|setx[ \t]+|ENV[ \t]+)["']?([A-Za-z][\w.-]{1,63})["']?[ \t]{1,8}/y
/** People say it: 'set DB_PASSWORD to …'. */
const SAID_SET = /set[ \t]+[`"']?([A-Z][A-Z0-9_]{2,63})[`"']?[ \t]+to[ \t]+(["'`]?)([^\s"'`,;]{8,128})/iy
const TOOL_SET =
  /(?:(?:configure|config|dotnet[ \t]+user-secrets|secrets?)[ \t]+(?:set|put|add)|netlify[ \t]+env:set)[ \t]+(?:--?[\w-]{1,24}[ \t]+){0,3}["']?(?:[\w./:@-]{0,120}[:/.])?([A-Za-z_][\w-]{1,63})["']?[ \t]{1,8}(?:(?:--body|-b|--value|--)[ \t]+)?/y
const CALL =
  /(?:define|environ\.get|[sg]etenv|[SG]etenv|putenv|setdefault|setProperty|setItem|SetEnvironmentVariable|env)\(\s{0,4}(["'])([A-Za-z][\w.-]{1,63})\1\s{0,4},\s{0,8}(?=["'])/y
/** A name and its value in quotes, with nothing between them: Gradle, Clojure, `#define`, SQL. */
const QUOTED_NAME =
  /((?:store|key)Password|password|passwd|passphrase|api[_-]?key|secret|(?<=(?:PRAGMA|pragma)[ \t]{1,4})key[ \t]{0,4}=|(?<=\bAS[ \t]+\w{1,40}[ \t]+)KEY|define[ \t]+[A-Za-z_]\w{1,63})[ \t]{1,8}(\\{0,3}["'])([^"'\n\\]{6,256})\2/iy
/** A name and its value as arguments of whatever keeps or gives settings. */
const KEPT =
  /(?:fetch|set|get|put|append|add|store|header)\(\s{0,4}(["'])([A-Za-z][\w.-]{1,63})\1(?:\s{0,4},\s{0,8}|\)\s{0,4}\{\s{0,4})(["'])([^"'\n]{6,256})\3/iy
/** A user and a password as arguments. */
const LOGIN_TAIL =
  /\s{0,4}(?:[=:]\s{0,4})?[([]\s{0,8}(?:[^()"'\n]{1,80},\s{0,8}|["'][^"'\n]{1,120}["']\s{0,4},\s{0,8}){0,1}["'][^"'\n]{1,64}["']\s{0,4},\s{0,8}(["'])([^"'\n]{8,128})\1/
    .source
const LOGIN = new RegExp(`(?:(?:set_?)?(?:http_?)?basic_?auth|getConnection|mysqli_connect|login|authenticate|auth)${LOGIN_TAIL}`, 'iy')
const CREDENTIALS = new RegExp(`\\w{0,24}Credentials?${LOGIN_TAIL}`, 'iy')
const JOINS_WIFI = /wifi\.begin\(\s{0,4}"[^"\n]{1,40}"\s{0,4},\s{0,8}(")([^"\n]{8,64})"/iy
/** What somebody chose, or a machine: letters of both cases and digits, and no word or name. */
const isChosen = (value: string) => hasDigit(value) && isMixedCase(value) && !/\s/.test(value)
const SETQ = /setq[ \t]+([A-Za-z][\w-]{1,63})[ \t]+(?=")/y
/** `.password("X")`, `setPassword("X")`. */
const BUILT = /(?:set[A-Z]?[A-Za-z]{0,20}Pass(?:word|phrase|wd)|(?<=\.)password)\(\s{0,4}(?=["'])/y
const INSERT = /insert\s{1,8}into\s{1,8}[\w.`"[\]]{1,128}\s{0,8}\(([^()]{1,400})\)\s{0,8}values\s{0,8}\(([^()]{1,1200})\)/iy
const IDENTIFIED =
  /identified[ \t]+(?:with[ \t]+\S{1,64}[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+)?(?:'([^'\n]{1,256})'|"([^"\n]{1,256})"|([^\s;'"`]{3,128}))/iy
const SQL_PASSWORD = /password[ \t]{1,8}N?'([^'\n]{1,256})'|password\(\s{0,4}'([^'\n]{1,256})'\s{0,4}\)/iy
const SQL_BEFORE =
  /(?:(?:\b|\\[nrt])(?:create|alter|set)\s+(?:user|role|login|group|password|database|master\s+key)\b[^;]{0,240}|\bwith\s+(?:encrypted\s+|unencrypted\s+)?)$/i
const SECURE_STRING = /ConvertTo-SecureString[ \t]+(?:-\w{3,16}[ \t]+){0,3}(\\{0,3}["'])([^"'\n]{1,256}?)\1/iy

/** The first four letters of what follows a word that tells something, in any spelling. */
const BEGINNINGS = [
  'set ',
  'env ',
  ...'pass valu begi priv iden conf conv sete setx setd setp seti env( secr dotn defi pute gete atla htpa rabb wpa_ sqlp thin envi setq inse carg snyk ngro vaul mysq netw graf comp poet bund requ mast clou setb stor keyp api_ api- apik fetc set( get( put( appe add( head netl wfre xfre rclo sudo read verc circ toke basi getc logi auth wifi'.split(
    ' ',
  ),
  'net ',
  'key ',
  'pw i',
  'pw: ',
  'pwd ',
]
export const WORD_STARTS: readonly string[] = [...BEGINNINGS.flatMap(spellings), 'HTTP', 'PSCr', 'User', 'ACRA', 'ACRB', 'ACRC', 'ACRD']

function spellings(word: string): string[] {
  return Array.from({ length: 1 << word.length }, (_, bits) =>
    [...word].map((letter, i) => ((bits >> i) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
}

/** The secret in the statement that the word at `at` begins. */
export function matchStatement(text: string, at: number): Match | undefined {
  const rules = RULES.get(headAt(text, at))
  if (rules === undefined) return mayBeCredentials(text, at) ? bySide(text, at) : undefined
  return bySide(text, at) ?? byWord(text, at, rules)
}

/** Patterns of `POSITIONAL` by the first three letters that they and the other rules here can begin with, in any spelling: most words begin none. */
const RULES = new Map<number, readonly RegExp[]>()

/** Three characters of ASCII as one number, letters of both cases alike. */
function headAt(text: string, at: number): number {
  return ((text.charCodeAt(at) | 0x20) << 16) | ((text.charCodeAt(at + 1) | 0x20) << 8) | text.charCodeAt(at + 2) | 0x20
}

const LONGEST_CREDENTIALS = 24 + 'Credentials'.length

/** Whether the word ends as `NetworkCredential` does. */
function mayBeCredentials(text: string, at: number): boolean {
  let end = at
  const limit = at + LONGEST_CREDENTIALS
  while (end <= limit && isWordCode(text.charCodeAt(end))) end++
  const last = text.charCodeAt(end - 1) | 0x20
  return end - at >= 'Credential'.length && end <= limit && (last === 0x6c || last === 0x73)
}

const isWordCode = (code: number) => isAlnum(code) || code === 0x5f

function byWord(text: string, at: number, places: readonly RegExp[]): Match | undefined {
  switch (text.charCodeAt(at) | 0x20) {
    case 0x73: // s
      return (
        byName(text, at, SHELL_SET, { isEnv: true }) ??
        byName(text, at, TOOL_SET, { isEnv: true }) ??
        byName(text, at, SETQ, { isEnv: false }) ??
        byCall(text, at) ??
        built(text, at) ??
        saidSet(text, at) ??
        positional(text, at, places)
      )
    case 0x65: // e
      return byName(text, at, SHELL_SET, { isEnv: false }) ?? byCall(text, at)
    case 0x62: // b
    case 0x6d: // m
    case 0x76: // v
      return positional(text, at, places)
    case 0x63: // c
      return (
        byName(text, at, TOOL_SET, { isEnv: true }) ??
        quoted(text, execAt(SECURE_STRING, text, at), 'password') ??
        positional(text, at, places)
      )
    case 0x64: // d
      return byCall(text, at) ?? byName(text, at, TOOL_SET, { isEnv: true })
    case 0x67: // g
      return byCall(text, at) ?? positional(text, at, places)
    case 0x69: // i
      return identifiedBy(text, at) ?? inserted(text, at)
    case 0x6e: // n
      return byName(text, at, TOOL_SET, { isEnv: true }) ?? positional(text, at, places)
    case 0x68: // h
    case 0x72: // r
    case 0x74: // t
    case 0x66: // f
    case 0x77: // w
    case 0x78: // x
      return positional(text, at, places)
    case 0x70: // p
      return byCall(text, at) ?? sqlPassword(text, at) ?? built(text, at) ?? positional(text, at, places)
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
  const login = 'nupshbgmla'.includes(letter)
    ? (execAt(LOGIN, text, at) ?? (mayBeCredentials(text, at) ? execAt(CREDENTIALS, text, at) : null))
    : letter === 'w'
      ? execAt(JOINS_WIFI, text, at)
      : null
  const value = login?.[2] ?? ''
  return login === null || !isChosen(value) ? undefined : found(text, { value, kind: 'password', end: at + login[0].length - 1 })
}

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
  return isChosen(value) ? matchNamedValue(text, end - value.length - 1, { name, isEnv: false }) : undefined
}

function quoted(text: string, match: RegExpExecArray | null, kind: string): Match | undefined {
  const value = match?.[2]
  if (match === null || value === undefined) return undefined
  return found(text, { value, kind, end: match.index + match[0].length - (match[1]?.length ?? 1) })
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
  return found(text, { value: single ?? double ?? bare ?? '', kind: 'password', end: at + whole.length - (bare === undefined ? 1 : 0) })
}

function sqlPassword(text: string, at: number): Match | undefined {
  const match = execAt(SQL_PASSWORD, text, at)
  if (match === null || !SQL_BEFORE.test(text.slice(Math.max(0, at - 320), at))) return undefined
  const [whole, plain, called] = match
  const value = plain ?? called ?? ''
  return found(text, { value, kind: 'password', end: at + whole.lastIndexOf(value) + value.length })
}

/** Commands whose password is told by its place. */
const POSITIONAL: readonly (readonly [heads: string, pattern: RegExp])[] = [
  ['htp', /htpasswd[ \t]+(?:-[A-Za-z]{1,4}[ \t]+){0,3}-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \t]+\S{1,120}[ \t]+[^\s-]\S{0,64}[ \t]+(\S{3,128})/y],
  ['rab', /rabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+[^\s-]\S{0,64}[ \t]+(\S{3,128})/y],
  ['wpa', /wpa_passphrase[ \t]+(?:"[^"\n]{1,40}"|\S{1,40})[ \t]+(\S{8,63})/y],
  ['net', /net[ \t]+user[ \t]+[^\s/]\S{0,40}[ \t]+([^\s/*]\S{3,128})[ \t]+\/(?:add|domain|active)/iy],
  ['net', /net[ \t]+use[ \t]+(?:[a-z*]:?[ \t]+)?\\\\\S{3,120}[ \t]+([^\s/*]\S{3,128})[ \t]+\/user:/iy],
  ['mys', /mysqladmin[ \t][^\n|;&]{0,120}?\bpassword[ \t]+(\S{4,128})/y],
  [
    'car,sny,vau,clo,ngr',
    /(?:cargo[ \t]+login|snyk[ \t]+auth|vault[ \t]+login|cloudflared[ \t]+service[ \t]+install|ngrok[ \t]+(?:config[ \t]+add-authtoken|authtoken))[ \t]+(?=\S{0,40}\d)([^\s=-][^\s=]{11,256})(?!\S)/y,
  ],
  ['net', /networksetup[ \t]+-setairportnetwork[ \t]+\w{2,8}[ \t]+(?:"[^"\n]{1,40}"|'[^'\n]{1,40}'|\S{1,40})[ \t]+(\S{8,65})/y],
  ['gra', /grafana-cli[ \t][^\n|;&]{0,80}?reset-admin-password[ \t]+(\S{4,128})/y],
  [
    'com,poe',
    /(?:composer|poetry)[ \t]+config[ \t]+(?:--?[\w-]{1,20}[ \t]+){0,3}http-basic\.\S{1,80}[ \t]+[^\s-]\S{0,64}[ \t]+(\S{4,256})/y,
  ],
  ['poe', /poetry[ \t]+config[ \t]+pypi-token\.\S{1,40}[ \t]+(\S{12,256})/y],
  [
    'bun',
    /bundle[ \t]+config[ \t]+(?:set[ \t]+)?(?:--?[\w-]{1,20}[ \t]+){0,3}[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}[ \t]+[\w.-]{1,64}:(\S{4,128})/y,
  ],
  ['req,mas', /(?:requirepass|masterauth)[ \t]+(?=\S{0,120}\d)(\S{4,128})/y],
  ['sql', /sqlplus[ \t]+(?:-\w{1,8}[ \t]+){0,3}["']?[\w$#]{1,40}\/([^\s@"'/]{3,128})(?=@)/iy],
  ['wfr,xfr', /(?:w|x)freerdp\d?[ \t][^\n|;&]{0,160}?\/p:(\S{4,128})/y],
  ['rcl', /rclone[ \t]+config[ \t]+(?:create|update)[ \t][^\n|;&]{0,160}?\bpass[ \t=]+(\S{4,128})/y],
  ['sud', /sudo[ \t]+(?:-\w{1,4}[ \t]+){0,3}-\w{0,4}S\b[^\n|;&<]{0,120}<<<[ \t]{0,4}["']?([^\s"';]{4,128})/y],
  ['rea', /read[ \t]+(?:-\w{1,4}[ \t]+){0,4}\w{0,40}(?:PASS|TOKEN|SECRET|KEY)\w{0,20}[ \t]{0,4}<<<[ \t]{0,4}["']?([^\s"';]{4,128})/iy],
  ['ver,cir,gh ,gh\t,wra,fly,her', /(?:vercel|circleci|gh|wrangler|fly|heroku)[ \t][^\n|;&<]{0,160}<<<[ \t]{0,4}["']?([^\s"';]{4,512})/y],
  ['thi', /thin:[\w$#]{1,40}\/([^\s@"'/]{3,128})(?=@)/iy],
]

/** How the other rules begin. */
const OTHER_HEADS = 'api,app,add,aut,bas,con,def,dot,env,fet,get,hea,htt,ide,ins,key,log,mys,net,pas,put,sec,set,sto,wif'

for (const head of OTHER_HEADS.split(',')) RULES.set(headAt(head, 0), [])
for (const [heads, pattern] of POSITIONAL)
  for (const head of heads.split(',')) RULES.set(headAt(head, 0), [...(RULES.get(headAt(head, 0)) ?? []), pattern])

function positional(text: string, at: number, places: readonly RegExp[]): Match | undefined {
  for (const pattern of places) {
    const match = execAt(pattern, text, at)
    if (match === null) continue
    const [whole, quoted = ''] = match
    const value = quoted.replace(/^(["'])(.*)\1$/, '$2').replace(/[`"'\\)]+$/, '')
    return /[A-Za-z0-9]/.test(value) && !/^[$<]/.test(value)
      ? found(text, { value, kind: 'password', end: at + whole.lastIndexOf(value) + value.length })
      : undefined
  }
  return undefined
}

interface Value {
  readonly value: string
  readonly kind: string
  readonly end: number
}

function found(text: string, { value, kind, end }: Value): Match | undefined {
  if (value === '' || isPlaceholder(value)) return undefined
  const start = end - value.length
  return { found: [{ kind: matchShape(text, start)?.found[0]?.kind ?? kind, start, end }], next: end }
}

/** What reads a password or token from its input. */
const READS_SECRET =
  /\|[ \t]{0,4}(?:\\\r?\n[ \t]{0,16})?(?:sudo[ \t]+)?(?:(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|gh|glab|az|oc|argocd|npm)[ \t][^|\n]{0,200}?--(?:password-stdin|with-token|stdin)|sudo[ \t]+-S|kinit\b|gpg2?[ \t][^|\n]{0,200}?--passphrase-fd|hdiutil[ \t][^|\n]{0,200}?-stdinpass|gcloud[ \t]+secrets[ \t]+(?:create|versions)|ConvertTo-SecureString|passwd[ \t]+--stdin|openconnect[ \t][^|\n]{0,200}?--passwd-on-stdin|chpasswd|cryptsetup|(?:wrangler|gh|fly|vercel|doppler)[ \t]+(?:secrets?|env)[ \t]+(?:put|set|add)|docker[ \t]+(?:login|secret[ \t]+create))/y
const PRINTED =
  /(?:(?:echo|printf|Write-Output)[ \t]+(?:-[neE]{1,3}[ \t]+)?(?:["']?%s(?:\\n)?["']?[ \t]+)?|[=(][ \t]{0,4}(?=["']))(\\{0,3}["']|)([^"'\n|]{4,512}?)\1[ \t]*$/

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
