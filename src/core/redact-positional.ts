/** Commands and protocols whose secret is told by its place: `htpasswd -b FILE NAME X`, `enable secret 0 X`, `AUTH X`. */
import { headsOf } from './redact-heads.ts'
import { type Match, matchShape } from './redact-kinds.ts'
import { isJumbled, isPlaceholder, isScrambled } from './redact-values.ts'

/** Commands whose password is told by its place. */
const POSITIONAL_LIST: readonly RegExp[] = [
  /htpasswd[ \t]+(?:-[A-Za-z]{1,4}[ \t]+){0,3}-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \t]+\S{1,120}[ \t]+[^\s-]\S{0,64}[ \t]+(\S{3,128})/y,
  /rabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+[^\s-]\S{0,64}[ \t]+(\S{3,128})/y,
  /wpa_passphrase[ \t]+(?:"[^"\n]{1,40}"|\S{1,40})[ \t]+(\S{8,63})/y,
  /net[ \t]+user[ \t]+[^\s/]\S{0,40}[ \t]+([^\s/*]\S{3,128})[ \t]+\/(?:add|domain|active)/iy,
  /net[ \t]+use[ \t]+(?:[a-z*]:?[ \t]+)?\\\\\S{3,120}[ \t]+([^\s/*]\S{3,128})[ \t]+\/user:/iy,
  /mysqladmin[ \t][^\n|;&]{0,120}?\bpassword[ \t]+(\S{4,128})/y,
  /(?:cargo[ \t]+login|snyk[ \t]+auth|vault[ \t]+login|cloudflared[ \t]+service[ \t]+install|ngrok[ \t]+(?:config[ \t]+add-authtoken|authtoken))[ \t]+(?=\S{0,40}\d)([^\s=-][^\s=]{11,256})(?!\S)/y,
  /networksetup[ \t]+-setairportnetwork[ \t]+\w{2,8}[ \t]+(?:"[^"\n]{1,40}"|'[^'\n]{1,40}'|\S{1,40})[ \t]+(\S{8,65})/y,
  /grafana-cli[ \t][^\n|;&]{0,80}?reset-admin-password[ \t]+(\S{4,128})/y,
  /(?:composer|poetry)[ \t]+config[ \t]+(?:--?[\w-]{1,20}[ \t]+){0,3}http-basic\.\S{1,80}[ \t]+[^\s-]\S{0,64}[ \t]+(\S{4,256})/y,
  /poetry[ \t]+config[ \t]+pypi-token\.\S{1,40}[ \t]+(\S{12,256})/y,
  /bundle[ \t]+config[ \t]+(?:set[ \t]+)?(?:--?[\w-]{1,20}[ \t]+){0,3}[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}[ \t]+[\w.-]{1,64}:(\S{4,128})/y,
  /(?:requirepass|masterauth)[ \t]+(?=\S{0,120}\d)(\S{4,128})/y,
  /sqlplus[ \t]+(?:-\w{1,8}[ \t]+){0,3}["']?[\w$#]{1,40}\/([^\s@"'/]{3,128})(?=@)/iy,
  /(?:w|x)freerdp\d?[ \t][^\n|;&]{0,160}?\/p:(\S{4,128})/y,
  /rclone[ \t]+config[ \t]+(?:create|update)[ \t][^\n|;&]{0,160}?\bpass[ \t=]+(\S{4,128})/y,
  /sudo[ \t]+(?:-\w{1,4}[ \t]+){0,3}-\w{0,4}S\b[^\n|;&<]{0,120}<<<[ \t]{0,4}["']?([^\s"';]{4,128})/y,
  /read[ \t]+(?:-\w{1,4}[ \t]+){0,4}\w{0,40}(?:PASS|TOKEN|SECRET|KEY)\w{0,20}[ \t]{0,4}<<<[ \t]{0,4}["']?([^\s"';]{4,128})/iy,
  /(?:vercel|circleci|gh|wrangler|fly|heroku)[ \t][^\n|;&<]{0,160}<<<[ \t]{0,4}["']?([^\s"';]{4,512})/y,
  /thin:[\w$#]{1,40}\/([^\s@"'/]{3,128})(?=@)/iy,
  /(?:imp|exp)dp?[ \t]+["']?[\w$#]{1,40}\/(?=[^\s"'/]{0,64}\d)([^\s@"'/]{4,128})/y,
  /bw[ \t]+(?:unlock|login[ \t]+\S{1,80}@\S{1,80})[ \t]+([^\s-]\S{5,128})/y,
  /(?:heroku[ \t]+auth:token|flyctl[ \t]+auth[ \t]+token)[ \t]+(?=\S{0,40}\d)([^\s-]\S{15,512})/y,
  /gcloud[ \t]+auth[ \t]+activate-refresh-token[ \t]+\S{1,80}[ \t]+(\S{16,512})/y,
  /runas[ \t]+(?:\/\w{1,12}[ \t]+){0,4}\/user:\S{1,80}[ \t]+(?=\S{0,40}\d)(\S{6,128})/iy,
  /set-agent-token[ \t]+(?:-\S{1,40}[ \t]+){0,3}\w{2,24}[ \t]+(\S{20,64})/y,
  // Network devices, whose lines are words and a secret at the end; `0` and `7` tell how it is written.
  /(?:enable|username[ \t]+\S{1,64})[ \t]+(?:(?:privilege|level)[ \t]+\d{1,2}[ \t]+)?(?:password|secret)[ \t]+(?:\d[ \t]+)?(?=\S{0,128}\d)([^\s"'`,;=]{6,128})(?=[ \t]*(?:\r?\n|$))/y,
  /aws_secret_access_key[ \t]{1,8}([A-Za-z0-9+/]{40})(?![\w+/=])/y,
  /(?:rclone[ \t]+obscure|wifi-sec\.psk|vncpasswd[ \t]+<<<|cryptsetup[ \t][^\n|;&<]{0,160}<<<)[ \t]+["']?(?=\S{0,64}\d)([^\s"'`-][^\s"'`]{5,128})/y,
  /ConvertTo-SecureString[ \t]+(?:-\w{3,16}[ \t]+){0,3}(?=\S{0,64}\d)([^\s"'$(-][^\s"')]{5,128})/iy,
  /snmp-server[ \t]+community[ \t]+(?=\S{0,128}\d)(\S{4,64})/y,
  /(?:tacacs|radius)-server[ \t]+(?:host[ \t]+\S{1,64}[ \t]+)?key[ \t]+(?:\d[ \t]+)?(?=\S{0,128}\d)(\S{6,128})/y,
  /neighbor[ \t]+\S{1,64}[ \t]+password[ \t]+(?:\d[ \t]+)?(?=\S{0,128}\d)(\S{6,128})/y,
  /message-digest-key[ \t]+\d{1,3}[ \t]+md5[ \t]+(?:\d[ \t]+)?(?=\S{0,128}\d)(\S{6,128})/y,
  /isakmp[ \t]+key[ \t]+(?:\d[ \t]+)?(\S{6,128})[ \t]+(?:address|hostname)/y,
  /wpa-psk[ \t]+(?:ascii|hex)[ \t]+(?:\d[ \t]+)?(?=\S{0,128}\d)(\S{6,128})/y,
  /(?:pre-?shared-key|plain-text-password-value)[ \t]+(?:ascii-text[ \t]+|hexadecimal[ \t]+|local[ \t]+|remote[ \t]+)?(?:\d[ \t]+)?(?=\S{0,128}\d)(\S{6,128})/y,
  /ppp[ \t]+(?:chap|pap)[ \t][^\n]{0,60}?password[ \t]+(?:\d[ \t]+)?(?=\S{0,128}\d)(\S{6,128})/y,
  // Redis keeps a password of a user behind `>`.
  /(?:SETUSER|user)[ \t]+\S{1,64}[ \t]+on\b[^\n>]{0,60}[ \t]>([^\s"'`]{4,128})/iy,
]

/** By the first letters that each may begin with, in any spelling. */
const POSITIONAL = new Map<number, readonly RegExp[]>()
for (const pattern of POSITIONAL_LIST)
  for (const key of new Set(headsOf(pattern).map((head) => keyAt(head, 0)))) POSITIONAL.set(key, [...(POSITIONAL.get(key) ?? []), pattern])

/** The first two characters as one number, letters of both cases alike. */
function keyAt(text: string, at: number): number {
  return ((text.charCodeAt(at) | 0x20) << 8) | text.charCodeAt(at + 1) | 0x20
}

/** Protocols written by hand, where only the value can tell a login from a word in capitals. */
const SPOKEN_PROTOCOLS: readonly RegExp[] = [
  /AUTH[ \t]+(?:[\w.-]{1,32}[ \t]+)?["']?([^\s"'`,;()]{8,256})(?=["'`\\]|[ \t]*(?:\r?\n|$))/y,
  /(?<=\bUSER[ \t]+\S{1,64}\r?\n(?:[^\n]{0,120}\n)?)PASS[ \t]+([^\s"'`,;()]{6,128})(?=[ \t]*(?:\r?\n|$))/y,
  /(?:LOGIN[ \t]+\S{1,64}|IDENTIFY(?:[ \t]+[\w-]{1,32})?)[ \t]+["']?([^\s"'`,;()]{8,128})(?=["'`\\]|[ \t]*(?:\r?\n|$))/y,
]

export const POSITIONAL_PATTERNS: readonly RegExp[] = [...POSITIONAL_LIST, ...SPOKEN_PROTOCOLS]

function protocol(text: string, at: number): Match | undefined {
  for (const pattern of SPOKEN_PROTOCOLS) {
    const match = execAt(pattern, text, at)
    const value = match?.[1] ?? ''
    if (match === null) continue
    if (!(isScrambled(value) || (value.length >= 16 && isJumbled(value))) || /[/\\.]\w+$/.test(value)) return undefined
    return foundAt(text, { value, kind: 'password', end: at + match[0].length })
  }
  return undefined
}

export function matchPositional(text: string, at: number): Match | undefined {
  const code = text.charCodeAt(at)
  const second = text.charCodeAt(at + 1)
  const isCapital = second >= 0x41 && second <= 0x5a && (code === 0x41 || code === 0x50 || code === 0x4c || code === 0x49)
  const spoken = isCapital ? protocol(text, at) : undefined
  if (spoken !== undefined) return spoken
  for (const pattern of POSITIONAL.get(keyAt(text, at)) ?? []) {
    const match = execAt(pattern, text, at)
    if (match === null) continue
    const [whole, quoted = ''] = match
    const value = quoted.replace(/^(["'])(.*)\1$/, '$2').replace(/[`"'\\)]+$/, '')
    return /[A-Za-z0-9]/.test(value) && (!/^[$<]/.test(value) || /^\$\w{1,4}\$/.test(value))
      ? foundAt(text, { value, kind: 'password', end: at + whole.lastIndexOf(value) + value.length })
      : undefined
  }
  return undefined
}

export interface FoundValue {
  readonly value: string
  readonly kind: string
  readonly end: number
}

export function foundAt(text: string, { value, kind, end }: FoundValue): Match | undefined {
  if (value === '' || isPlaceholder(value)) return undefined
  const start = end - value.length
  return { found: [{ kind: matchShape(text, start)?.found[0]?.kind ?? kind, start, end }], next: end }
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
