/** Passwords on a command line, where only the command tells what a short flag means, and those of a `.netrc`. */
import { secretName } from './redact-assignment.ts'
import type { Match } from './redact-kinds.ts'
import { hasDigit, isPlaceholder, isScrambled } from './redact-values.ts'

interface CommandFlag {
  /** Ends where the flag begins: the command and whatever may be between the two. */
  readonly before: RegExp
  /** Only `-pX`, since `-p X` means something else; otherwise also `-p X` and `-p=X`. */
  readonly isGlued?: true
  /** Only `-k X`, since `-key` is another flag. */
  readonly isApart?: true
  /** The flag means other things, too: only what looks made by a machine. */
  readonly isToken?: true
  /** Between the user and the password. */
  readonly afterUser?: ':' | ',' | '%'
}

/** The rest of a command, up to the flag; a line that ends in a backslash continues. */
const REST = '(?:[^|;&\\n]|\\\\\\n){0,240}'
/** Also behind what tools put before a line (`deploy.sh:12:`, `deploy.sh-12-`, `+`, `-`, boxes, `^I`), and behind the end of a line as JSON writes it. */
const START = '(?:^[-+]?|\\n-|\\d-|[^\\w.\\\\-]|\\\\[nrtbf]|\\^I)'
const command = (names: string) => new RegExp(`${START}(?:${names})(?=\\s)${REST}$`)

const FLAGS: Readonly<Record<string, readonly CommandFlag[]>> = {
  p: [
    { before: command('mysql\\w*|mariadb[\\w-]*|mycli|mydumper|myloader|7z[ar]?|7zz|rar|unrar'), isGlued: true },
    { before: new RegExp(`${START}sshpass(?:\\s+-[vP]\\S*){0,4}\\s+$`) },
    { before: command('mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport') },
    { before: command(`(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc|cf)(?=\\s)${REST}\\slogin`) },
    {
      before: command(
        'ncftp(?:put|get|ls)?|altool|evil-winrm|nxc|netexec|crackmapexec|rdesktop|psexec\\w*|cqlsh|twine|snowsql|cypher-shell',
      ),
      isApart: true,
    },
    { before: command(`security(?=\\s)${REST}\\s(?:unlock|create)-keychain`), isApart: true },
  ],
  a: [{ before: command('redis-cli|valkey-cli') }, { before: command('https?|xh'), isApart: true, afterUser: ':' }],
  A: [{ before: command('snmp\\w+'), isApart: true }],
  X: [{ before: command('snmp\\w+'), isApart: true }],
  s: [{ before: command('ldappasswd'), isApart: true }],
  N: [{ before: command('ssh-keygen'), isApart: true }],
  w: [
    { before: command('ldap(?:search|modify|add|delete|passwd|whoami)') },
    { before: command(`security(?=\\s)${REST}\\sadd-(?:generic|internet)-password`), isApart: true },
  ],
  t: [
    {
      before: command('vercel|vc|netlify|doctl|glab|flyctl|fly|surge|railway|codecov(?:\\.io\\S{0,20})?'),
      isApart: true,
      isToken: true,
    },
  ],
  K: [{ before: command('openssl'), isApart: true, isToken: true }],
  P: [{ before: command('sqlcmd|bcp|osql|isql|tsql|zip|unzip') }, { before: command('ipmitool|mosquitto_(?:pub|sub|rr)'), isApart: true }],
  k: [{ before: command('openssl'), isApart: true }],
  u: [{ before: command('lftp'), afterUser: ',' }],
  U: [{ before: command('smbclient|rpcclient|smbmap|smbget|winexe'), afterUser: '%' }],
}

/** Flags of several letters behind one dash. */
const WORD_FLAGS: readonly { readonly flag: RegExp; readonly before: RegExp }[] = [
  { flag: /-pw[ \t]{1,4}/y, before: command('plink|pscp|psftp|putty|kitty') },
  { flag: /-hp/y, before: command('rar') },
  { flag: /-(?:src|dest)?(?:store|key)pass[ \t]{1,4}/y, before: command('keytool|jarsigner|apksigner') },
  { flag: /-(?:upw|opw)[ \t]{1,4}/y, before: command('pdf\\w+') },
  { flag: /-passwd[ \t]{1,4}/y, before: command('x11vnc') },
]

const LONGEST_COMMAND = 300
const VALUE = /-[pawPkuUsNAXtK](=|[ \t]{1,4}|)(?:'([^'\n]{1,128})'|"([^"\n]{1,128})"|([^\s"'`|;&<>()\\-][^\s"'`|;&<>()\\]{2,127}))/y
/** A port, or two of them. */
const PORTS = /^[\d.:]{1,21}(?:\/(?:tcp|udp))?$/

const LISTED = /-p([^\s"'`\\,]{4,128})["']/y
/** The same as strings of a list: `["mysql", "-uroot", "-pX"]`. */
const LIST_BEFORE = /["'](?:mysql\w*|mariadb[\w-]*|7z[ar]?|7zz|rar|unrar|sshpass)["'],\s{0,4}(?:["'][^"'\n]{1,80}["'],\s{0,4}){0,6}["']$/

function matchListed(text: string, at: number): Match | undefined {
  LISTED.lastIndex = at
  const value = LISTED.exec(text)?.[1]
  if (value === undefined || isPlaceholder(value) || PORTS.test(value)) return undefined
  if (!LIST_BEFORE.test(text.slice(Math.max(0, at - LONGEST_COMMAND), at))) return undefined
  const end = at + 2 + value.length
  return { found: [{ kind: 'password', start: at + 2, end }], next: end }
}

/** `mysql -pX`, `sshpass -p X`, `docker login -p X`, from the dash on. */
export function matchCommandFlag(text: string, at: number): Match | undefined {
  const before = text[at - 1]
  if (before === '"' || before === "'") return matchListed(text, at)
  if (!(at === 0 || /\s/.test(text[at - 1] ?? ''))) return undefined
  return matchWordFlag(text, at) ?? matchLetterFlag(text, at) ?? matchNamedFlag(text, at)
}

/** `-Password 'X'`, as PowerShell, Java and Go write flags. */
const NAMED_FLAG = /-([A-Za-z][A-Za-z-]{2,40})[ \t=]{1,4}(?=(['"])?[^\s-])/y

function matchNamedFlag(text: string, at: number): Match | undefined {
  NAMED_FLAG.lastIndex = at
  const [whole, name = '', quote] = NAMED_FLAG.exec(text) ?? []
  const secret = whole === undefined ? undefined : secretName(name)
  if (whole === undefined || secret === undefined || secret.strength === 'token') return undefined
  WORD_VALUE.lastIndex = at + whole.length
  const [all, single, double, bare] = WORD_VALUE.exec(text) ?? []
  const value = single ?? double ?? bare ?? ''
  if (all === undefined || value.length < 4 || isPlaceholder(value) || (quote === undefined && !hasDigit(value))) return undefined
  const end = at + whole.length + all.length - (bare === undefined ? 1 : 0)
  return { found: [{ kind: secret.kind, start: end - value.length, end }], next: end }
}

const STORED = /--value[ =]{1,3}/y
const STORES = /(?:put-parameter|keyvault\s{1,4}secret\s{1,4}set)\b[^|;&\n]{0,240}$/
const HERE_STRING = /--(?:password-stdin|with-token|stdin)[ \t]{1,4}<<<[ \t]{0,4}/y
const CREDS = /--(?:src-|dest-)?creds[ =]{1,3}["']?[^\s:"']{1,64}:/y
/** Many commands take a user so; those that take a user and a group have numbers there. */
const USER = /--user[ =]{1,3}["']?[^\s:"'$]{1,64}:/y

/** What a command puts away as a secret, reads from a here-string, or takes behind a user: from the dashes on. */
export function matchStored(text: string, at: number): Match | undefined {
  const flag = lengthAt(STORED, text, at) ?? lengthAt(HERE_STRING, text, at) ?? lengthAt(CREDS, text, at) ?? lengthAt(USER, text, at)
  if (flag === undefined) return undefined
  if (text.startsWith('--value', at)) {
    const before = STORES.exec(text.slice(Math.max(0, at - LONGEST_COMMAND), at))?.[0]
    if (
      before === undefined ||
      (before.startsWith('put') && !text.slice(at, at + LONGEST_COMMAND).includes('SecureString') && !before.includes('SecureString'))
    )
      return undefined
  }
  WORD_VALUE.lastIndex = at + flag
  const [all, single, double, bare] = WORD_VALUE.exec(text) ?? []
  const value = single ?? double ?? bare ?? ''
  if (all === undefined || value.length < 4 || isPlaceholder(value)) return undefined
  if (text.startsWith('--user', at) && !isScrambled(value)) return undefined
  const end = at + flag + all.length - (bare === undefined ? 1 : 0)
  return { found: [{ kind: 'secret', start: end - value.length, end }], next: end }
}

function lengthAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length
}

const WORD_FLAG_LETTERS = 'phskduo'
const WORD_VALUE = /'([^'\n]{1,128})'|"([^"\n]{1,128})"|([^\s"'`|;&<>()\\-][^\s"'`|;&<>()\\]{2,127})/y

function matchWordFlag(text: string, at: number): Match | undefined {
  if (!WORD_FLAG_LETTERS.includes(text[at + 1] ?? ' ')) return undefined
  for (const { flag, before } of WORD_FLAGS) {
    flag.lastIndex = at
    const length = flag.exec(text)?.[0].length
    if (length === undefined || !before.test(text.slice(Math.max(0, at - LONGEST_COMMAND), at))) continue
    WORD_VALUE.lastIndex = at + length
    const [whole, single, double, bare] = WORD_VALUE.exec(text) ?? []
    const value = single ?? double ?? bare ?? ''
    if (whole === undefined || isPlaceholder(value) || !/[A-Za-z0-9]/.test(value)) return undefined
    const end = at + length + whole.length - (bare === undefined ? 1 : 0)
    return { found: [{ kind: 'password', start: end - value.length, end }], next: end }
  }
  return undefined
}

function matchLetterFlag(text: string, at: number): Match | undefined {
  const flags = FLAGS[text[at + 1] ?? '']
  if (flags === undefined) return undefined
  VALUE.lastIndex = at
  const match = VALUE.exec(text)
  if (match === null) return undefined
  const [whole, joint, single, double, bare] = match
  const value = single ?? double ?? bare ?? ''
  if (isPlaceholder(value) || PORTS.test(value) || !/[A-Za-z0-9]/.test(value)) return undefined
  const before = text.slice(Math.max(0, at - LONGEST_COMMAND), at)
  const flag = flags.find((one) => (joint === '' ? !one.isApart : !one.isGlued) && one.before.test(before))
  if (flag === undefined || (flag.isToken === true && !(value.length >= 20 && hasDigit(value) && /[a-z]/i.test(value)))) return undefined
  const end = at + whole.length - (bare === undefined ? 1 : 0)
  const user = flag.afterUser === undefined ? 0 : value.indexOf(flag.afterUser) + 1
  if (flag.afterUser !== undefined && (user < 2 || user === value.length || isPlaceholder(value.slice(user)))) return undefined
  return { found: [{ kind: 'password', start: end - value.length + user, end }], next: end }
}

export const NETRC_PASSWORD = /password\s{1,8}(\S{1,256})/y
const NETRC_BEFORE =
  /(?:^|[\s/"'`;:|→│┃║>+-]|\\[nrt])(?:machine\s{1,8}\S{1,256}\s{1,20}(?:(?:login|account)\s{1,8}\S{1,128}\s{1,20}){0,2}|default\s{1,20}(?:(?:login|account)\s{1,8}\S{1,128}\s{1,20}){1,2})$/

/** The same with more than spaces around its lines: numbers, quotes, boxes, or the ends of lines as JSON writes them. */
const LINE_GAP = '[^\\n]{0,80}?(?:\\n|\\\\{1,8}n)[^\\n]{0,80}?(?:[^A-Za-z0-9\\\\]|\\\\{1,8}[nrt]|\\^I)'
const GAP = `(?:\\s{1,20}|${LINE_GAP})`
const NETRC_LINES = new RegExp(
  `(?:^|[^\\w.-]|\\\\[nrt]|\\^I)(?:machine\\s{1,8}(?:localhost|[\\w-]{1,64}(?:[.:][\\w-]{1,64}){1,8})|default)${GAP}(?:login|account)\\s{1,8}[^\\s"'<>]{1,128}?${GAP}$`,
)
/** A command that joins a wireless network. */
const NMCLI = /(?:\b|\^I|\\[nrt])nmcli\s[^\n|;&]{0,200}\s$/

/** `machine host login name password X`, from the word password on. */
export function matchNetrc(text: string, at: number): Match | undefined {
  NETRC_PASSWORD.lastIndex = at
  const match = NETRC_PASSWORD.exec(text)
  if (match === null) return undefined
  const [whole, all = ''] = match
  const before = text.slice(Math.max(0, at - LONGEST_COMMAND), at)
  const isBare = NETRC_BEFORE.test(before)
  if (!isBare && !NMCLI.test(before) && !NETRC_LINES.test(before)) return undefined
  const value = isBare ? all : all.replace(/(?:\\+[nrt"']|<\/).*$|["'`,;]{1,3}$/, '')
  if (value === '' || isPlaceholder(value.replace(/["'`,;]{1,3}$/, ''))) return undefined
  const end = at + whole.length - all.length + value.length
  return { found: [{ kind: 'password', start: end - value.length, end }], next: end }
}
