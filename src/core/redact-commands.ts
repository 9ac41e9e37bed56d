/** Passwords on a command line, where only the command tells what a short flag means, and those of a `.netrc`. */
import type { Match } from './redact-kinds.ts'
import { isPlaceholder } from './redact-values.ts'

interface CommandFlag {
  /** Ends where the flag begins: the command and whatever may be between the two. */
  readonly before: RegExp
  /** Only `-pX`, since `-p X` means something else; otherwise also `-p X` and `-p=X`. */
  readonly isGlued?: true
}

/** The rest of a command, up to the flag; a line that ends in a backslash continues. */
const REST = '(?:[^|;&\\n]|\\\\\\n){0,240}'
/** Also behind what grep and diff put before a line (`deploy.sh:12:`, `deploy.sh-12-`, `+`, `-`), and behind the end of a line as JSON writes it. */
const START = '(?:^[-+]?|\\n-|\\d-|[\\s/"\'`(;&|$:+]|\\\\[nrtbf])'
const command = (names: string) => new RegExp(`${START}(?:${names})(?=\\s)${REST}$`)

const FLAGS: Readonly<Record<string, readonly CommandFlag[]>> = {
  p: [
    { before: command('mysql\\w*|mariadb[\\w-]*|mycli|mydumper|myloader|7z[ar]?|7zz|rar|unrar'), isGlued: true },
    { before: new RegExp(`${START}sshpass(?:\\s+-[vP]\\S*){0,4}\\s+$`) },
    { before: command('mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport') },
    { before: command(`(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc|cf)(?=\\s)${REST}\\slogin`) },
  ],
  a: [{ before: command('redis-cli|valkey-cli') }],
  w: [{ before: command('ldap(?:search|modify|add|delete|passwd|whoami)') }],
  P: [{ before: command('sqlcmd|bcp|osql|tsql|zip|unzip') }],
}

const LONGEST_COMMAND = 300
const VALUE = /-[pawP](=|[ \t]{1,4}|)(?:'([^'\n]{1,128})'|"([^"\n]{1,128})"|([^\s"'`|;&<>()\\-][^\s"'`|;&<>()\\]{2,127}))/y
/** A port, or two of them. */
const PORTS = /^[\d.:]{1,21}(?:\/(?:tcp|udp))?$/

/** `mysql -pX`, `sshpass -p X`, `docker login -p X`, from the dash on. */
export function matchCommandFlag(text: string, at: number): Match | undefined {
  const flags = FLAGS[text[at + 1] ?? '']
  if (flags === undefined || !(at === 0 || /\s/.test(text[at - 1] ?? ''))) return undefined
  VALUE.lastIndex = at
  const match = VALUE.exec(text)
  if (match === null) return undefined
  const [whole, joint, single, double, bare] = match
  const value = single ?? double ?? bare ?? ''
  if (isPlaceholder(value) || PORTS.test(value) || !/[A-Za-z0-9]/.test(value)) return undefined
  const before = text.slice(Math.max(0, at - LONGEST_COMMAND), at)
  if (!flags.some((flag) => (joint === '' || !flag.isGlued) && flag.before.test(before))) return undefined
  const end = at + whole.length - (bare === undefined ? 1 : 0)
  return { found: [{ kind: 'password', start: end - value.length, end }], next: end }
}

const NETRC_PASSWORD = /password\s{1,8}(\S{1,256})/y
const NETRC_BEFORE = /(?:^|[\s/"'`;]|\\[nrt])(?:machine\s{1,8}\S{1,256}|default)\s{1,20}(?:(?:login|account)\s{1,8}\S{1,128}\s{1,20}){0,2}$/

/** `machine host login name password X`, from the word password on. */
export function matchNetrc(text: string, at: number): Match | undefined {
  NETRC_PASSWORD.lastIndex = at
  const match = NETRC_PASSWORD.exec(text)
  if (match === null) return undefined
  const [whole, value = ''] = match
  if (isPlaceholder(value) || !NETRC_BEFORE.test(text.slice(Math.max(0, at - LONGEST_COMMAND), at))) return undefined
  const end = at + whole.length
  return { found: [{ kind: 'password', start: end - value.length, end }], next: end }
}
