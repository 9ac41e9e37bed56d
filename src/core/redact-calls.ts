/** Secrets that a call takes by place: `pgp_sym_encrypt('…', 'key')`, `jwt.sign(payload, 'key')`, `createHmac('sha256', 'key')`. */
import { type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, isPlaceholder } from './redact-values.ts'

/** An argument before the secret: a string, or what has no comma outside of brackets. */
const ARGUMENT = '(?:\'[^\'\\n]{0,200}\'|"[^"\\n]{0,200}"|\\{[^{}\\n]{0,200}\\}|[^,()\'"\\n]{1,80})'
const STRING = '[bBuN]?(?:\'([^\'\\n]{6,256})\'|"([^"\\n]{6,256})"|`([^`\\n]{6,256})`)'
const FIRST = '\\(\\s{0,4}'
const NEXT = '\\s{0,4},\\s{0,4}'
const call = (names: string, before: number) => new RegExp(`(?:${names})${FIRST}${`${ARGUMENT}${NEXT}`.repeat(before)}${STRING}`, 'iy')

/** By the letter that they begin with. */
const CALLS: Readonly<Record<string, readonly RegExp[]>> = {
  p: [
    call('pgp_sym_(?:en|de)crypt(?:_bytea)?', 1),
    call('PDO', 2),
    call('privateKeyToAccount|PrivateKey\\.(?:fromString|from_string|from)', 0),
    new RegExp(`pymysql\\.connect${FIRST}${`${ARGUMENT}${NEXT}`.repeat(2)}${STRING}`, 'iy'),
  ],
  a: [call('aes_(?:en|de)crypt', 1), /accounts\s{0,2}:\s{0,4}\[\s{0,8}["']((?:0x)?[0-9a-f]{64})["']/iy],
  h: [call('hmac(?=\\(\\s{0,4}[\'"a-z])', 1), call('hmac\\.new', 0)],
  c: [
    new RegExp(`crypt${FIRST}${STRING}(?=${NEXT}gen_salt)`, 'iy'),
    call('create(?:Hmac|Cipheriv|Decipheriv|Cipher|Decipher)', 1),
    call('cookieParser', 0),
    call('changeUserPassword', 1),
    /client\(\s{0,4}["']AC[0-9a-f]{32}["']\s{0,4},\s{0,4}["']([0-9a-f]{32})["']/iy,
  ],
  t: [/twilio\(\s{0,4}["']AC[0-9a-f]{32}["']\s{0,4},\s{0,4}["']([0-9a-f]{32})["']/iy],
  j: [call('jwt\\.(?:sign|encode|verify|decode)', 1)],
  f: [call('fernet', 0), call('fromPrivateKey', 0)],
  w: [/Wallet\(\s{0,4}["']((?:0x)?[0-9a-f]{64})["']/y, call('withPass(?:word|phrase)', 0)],
  n: [new RegExp(`NetworkCredential\\]?(?:::new)?${FIRST}${ARGUMENT}${NEXT}${STRING}`, 'iy')],
  b: [new RegExp(`basic${FIRST}["'][^"'\\n]{1,64}["']${NEXT}${STRING}`, 'iy')],
  s: [call('Sequelize', 2)],
  d: [call('dbms\\.security\\.createUser', 1), new RegExp(`DBI->connect${FIRST}${`${ARGUMENT}${NEXT}`.repeat(2)}${STRING}`, 'y')],
  k: [call('keyStore\\.load', 1)],
  m: [call('mysqli', 2), new RegExp(`MySQLdb\\.connect${FIRST}${`${ARGUMENT}${NEXT}`.repeat(2)}${STRING}`, 'iy')],
}

export const CALL_PATTERNS: readonly RegExp[] = Object.values(CALLS).flat()

/** The secret among the arguments of the call that the word at `at` begins. */
export function matchCall(text: string, at: number): Match | undefined {
  const patterns = CALLS[String.fromCharCode(text.charCodeAt(at) | 0x20)]
  if (patterns === undefined) return undefined
  for (const pattern of patterns) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const value = match[1] ?? match[2] ?? match[3] ?? ''
    if (!isSecret(value)) return undefined
    const start = at + match[0].lastIndexOf(value)
    const end = start + value.length
    return { found: [{ kind: matchShape(text, start)?.found[0]?.kind ?? 'secret', start, end }], next: end }
  }
  return undefined
}

/** Not the token that a call checks, which is looked for by its own shape. */
function isSecret(value: string): boolean {
  return !/\s/.test(value) && hasDigit(value) && /[A-Za-z]/.test(value) && value.length >= 8 && !isPlaceholder(value)
}
