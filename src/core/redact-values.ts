/** Tells a value that may be a secret from a placeholder, a reference or an expression. Looks at the value alone, never at its name. */

export const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isLetter = (code: number) => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

export function isAlnum(code: number): boolean {
  return isDigit(code) || isLetter(code)
}

export function hasDigit(text: string): boolean {
  return /\d/.test(text)
}

export function isMixedCase(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text)
}

/** True when a run of at least `min` letters and digits mixes both, as generated keys do and names and words do not. */
export function hasRandomRun(text: string, min: number): boolean {
  let length = 0
  let digits = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (isDigit(code)) digits++
    if (isDigit(code) || isLetter(code)) {
      length++
      continue
    }
    if (length >= min && digits >= 2 && length - digits >= 2) return true
    length = 0
    digits = 0
  }
  return false
}

/** True when a run of letters and digits is too long for a word. */
export function hasLongRun(text: string): boolean {
  return /[A-Za-z0-9]{20}/.test(text) || hasRandomRun(text, 16)
}

/** Letters of both cases in an order that no name has: its parts, as camelCase divides them, are of three letters at most on average. */
export function isJumbled(text: string): boolean {
  return text.length >= 14 && isMixedCase(text) && /^[\w+/=.~%-]+$/.test(text) && splitWords(text).length * 3 >= text.length
}

/** As people choose a password, or a machine does: letters and digits mixed as no word, name or version mixes them. */
export function isScrambled(value: string): boolean {
  if (value.length < 8 || /\s/.test(value) || !hasDigit(value) || !/[A-Za-z]/.test(value) || value.includes('://')) return false
  if (/[!#$%^&*]/.test(value)) return true
  if (isMixedCase(value)) return /\d[A-Za-z]|\d\D+\d|[A-Za-z]\d{2}/.test(value)
  return value.length >= 10 && /\d\D*\d/.test(value) && /[A-Za-z]\d/.test(value) && /\d[A-Za-z]|[!-/:-@]/.test(value)
}

/** Both cases changing often, and too few vowels for words. */
export function isUnspeakable(value: string): boolean {
  if (!/^[A-Za-z0-9]+$/.test(value) || !isMixedCase(value)) return false
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0
  const vowels = value.match(/[aeiouyAEIOUY]/g)?.length ?? 0
  return splitWords(value).length * 4 >= value.length && vowels * 4 <= letters
}

/** No name of an algorithm, a type or a release: those have one number, or small letters after it. */
export const isApart = (value: string) => !/^[A-Za-z-]+\d+$/.test(value) || /\d{2}$/.test(value)

/** Words that fill in for a secret in documentation, and the names of secrets themselves. */
const FILLERS = new Set(
  `a an the my your our some any this that new old here goes go in to it me value string text example examples sample test testing tests
  dummy fake mock stub placeholder insert enter put add paste replace change changeme changeit fixme todo tbd foo bar baz qux abc xyz
  x xx xxx secret secrets supersecret super very top password passwords passwd pass passphrase pw pwd key keys apikey api token tokens
  auth access client private public user username name admin id hash account service session bearer credential credentials
  openai anthropic google github gitlab aws azure slack stripe hf null none nil undefined nan true false yes no on off
  str number int integer bool boolean bytes buffer object unknown void never required optional hidden redacted removed masked unset
  passwort kennwort wachtwoord senha invalid weak strong short long wrong incorrect plain bcrypt argon scrypt hashed encrypted varchar
  keyword type email field input label form empty default omitted missing not set from env environment variable vault config prompt stdin file read get use and or with for of
  option options argument arguments callback flag flags parameter parameters`.split(/\s+/),
)

const REFERENCE =
  /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|env[.:]|secrets\.|vars\.|vault:|arn:|ssm:|sm:\/\/|op:\/\/|file:|keyring:)/i
const VARIABLE = /^(?:0x[0-9a-f]{1,16}|\$\w+|\$env:\w+|%\w+%|%[sdv@](?::%[sdv@]){0,3}|%\(\w+\)s|[:!@&][a-z_]+)$/i
const WRAPPED = /^(?:<.*>|\[.*\]|\{.*\}|\(.*\))$/s
const ALPHABET = /abcdefghijklmnopqrstuvwxyz/i
const TEMPLATE = /\$\{|\$\(|\{\{|#\{|<%|\[REDACTED/
const MASK = /\*{3}|\.{3}|…|•|x{4}|X{4}|_{4}|-{4}/
const URL_START = /^[a-z][a-z0-9+.-]{1,20}:\/\//i
const PATH = /^(?:~|\.{1,2})?\/[\w@+.-]+(?:\/[\w@+.-]+)+\/?$|^(?:~|\.{1,2})\/[\w@+.-]+$|^[A-Za-z]:[\\/]/

/** True for what is written where a secret would be, without being one. */
export function isPlaceholder(value: string): boolean {
  if (value.length < 512 && (WRAPPED.test(value) || VARIABLE.test(value) || isOneCharacter(value))) return true
  if (TEMPLATE.test(value) || ALPHABET.test(value) || MASK.test(value) || REFERENCE.test(value) || URL_START.test(value)) return true
  if (value.length < 256 && PATH.test(value) && !hasRandomRun(value, 16)) return true
  return /^your[-_ .]/i.test(value) || (value.length < 128 && isFiller(value))
}

function isOneCharacter(value: string): boolean {
  return value.split('').every((character) => character === value[0])
}

/** Only filler words, in any of the usual spellings: `your-api-key`, `MY_SECRET`, `insertTokenHere`. */
function isFiller(value: string): boolean {
  const found = splitWords(value)
  return found.every((word) => FILLERS.has(word))
}

/** The words of an identifier or phrase, lower-cased: camelCase, snake_case, kebab-case, dotted. */
export function splitWords(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase())
}

/** True for an unquoted value that reads as code: a member, or a variable named after what it holds. */
export function isExpression(value: string): boolean {
  if (/^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)+$/.test(value)) return !hasRandomRun(value, 20)
  // Chance puts words of one or two letters into anything generated.
  if (hasRandomRun(value, 16) || isJumbled(value)) return false
  if (!/^[A-Za-z_$][\w$]*$/.test(value)) return false
  const found = splitWords(value)
  // A number inside, not at the end, is no way to name a variable.
  if (found.slice(0, -1).some(hasDigit)) return false
  const letters = found.filter((word) => !hasDigit(word))
  return letters.length > 1 && letters.some((word) => FILLERS.has(word))
}
