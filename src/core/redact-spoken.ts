/** Secrets that a sentence tells: 'the password is X', 'your token is X', 'das Kennwort lautet X', 'creds are ada:X'. */
import { isChosen, isGenerated } from './redact-assignment.ts'
import { hasTellingStart, type Match } from './redact-kinds.ts'
import { hasDigit, hasRandomRun, isApart, isJumbled, isPlaceholder, isScrambled, splitWords } from './redact-values.ts'

const SPOKEN =
  /pass(?:word|wort|phrase|code)(?: (?:for|of|to|on|in|at)(?: [\w'’.@-]{1,40}){1,5}?)?(?: (?:is|ist|è|es|est|är):?|((?: (?:was|has been|will be|now|changed|set|reset|updated|to)){1,4}:?)) +["'`]?([^\s"'`,;]{6,128})/iy

/** The same in other words of a sentence: only a value that nobody writes for anything else. */
const SPOKEN_OF =
  /(?:pass(?:word|phrase|code|wd)?|pwd?)(?: (?:[\w'’.@-]{1,40})){0,7}?:?(?: {1,4}|\s{0,2}\n\s{0,8})["'`]?(?=\S{0,127}\d)([^\s"'`,;]{10,128})/iy
/** 'your token is X', 'the secret key is: X'. */
const SPOKEN_TOKEN = /(?:token|secret(?: key)?|key)(?: is:? {1,4}| (?:[-–—] )?|:?\r?\n(?:\r?\n)?[ \t]{0,8})["'`]?([^\s"'`,;]{20,512})/iy
/** 'use password X', 'password - X', 'password for root@host: X': the value itself must tell. */
const SPOKEN_PLAIN =
  /pass(?:word|wort|phrase|code|wd)(?: (?:[-–—] |is generated for \S{1,80}: )|:?[ \t]{1,4}|:?[ \t]{0,4}(?:\r?\n){1,2}[ \t]{0,8})["'`]?([^\s"'`,;]{8,128})/iy
/** With other words of the sentence between them, in the languages that put them so: no camelCase name passes. */
const SPOKEN_LOOSE =
  /(?:pass(?:word|wort|phrase|code|wd|e)?|pwd?|kennwort|senha)(?: [\p{L}'’@.-]{1,24}){1,5}?:? {1,3}["'`]?([^\s"'`,;]{8,128})/iuy
const SPANISH = /contrase[ñn]a(?: [\p{L}]{1,16}){0,5}? (?:es|era|será):? {1,4}["'`]?([^\s"'`,;]{8,128})/iuy
const CREDENTIALS =
  /(?:creds?|credentials?|login)(?: (?:are|is|with|as|for))?:? {0,3}["'`]?[\w.@+-]{2,64}(?::| ?\/ ?(?:password )?)([^\s"'`,;]{6,128})/iy

/** The rules that begin with a word. */
export const SPOKEN_PATTERNS: readonly RegExp[] = [SPOKEN, SPOKEN_OF, SPOKEN_TOKEN, SPOKEN_PLAIN, SPOKEN_LOOSE, SPANISH, CREDENTIALS]

/** 'the password is hunter2', from the word password on. */
export function matchSpokenPassword(text: string, at: number): Match | undefined {
  const second = text.charCodeAt(at + 1) | 0x20
  // Of the words with a p only "pass…" and "pw…".
  if (second !== 0x61 && second !== 0x77) return undefined
  SPOKEN.lastIndex = at
  const match = SPOKEN.exec(text)
  if (match === null) return matchSpokenOf(text, at)
  const [whole, told, said = ''] = match
  const value = said.replace(/[.?:)]+$/, '')
  if (!(hasDigit(value) && /[a-z]/i.test(value)) || isPlaceholder(value)) return matchSpokenOf(text, at)
  // 'The password was changed to v2beta': only what nobody names a thing.
  if (told !== undefined && !isChosen(value) && !/[!#$%^&*]/.test(value)) return undefined
  const start = at + whole.length - said.length
  return { found: [{ kind: 'password', start, end: start + value.length }], next: start + value.length }
}

function matchSpokenOf(text: string, at: number): Match | undefined {
  SPOKEN_OF.lastIndex = at
  const [whole, said = ''] = SPOKEN_OF.exec(text) ?? []
  const value = said.replace(/[.?:)]+$/, '')
  const isSecret = hasDigit(value) && isJumbled(value) && !/[/.]/.test(value)
  const start = at + (whole?.length ?? 0) - said.length
  // A token may go on in the next line.
  if (whole === undefined || !isSecret || isPlaceholder(value) || hasTellingStart(text, start))
    return spokenBy(SPOKEN_PLAIN, text, at) ?? spokenLoosely(text, at)
  return { found: [{ kind: 'password', start, end: start + value.length }], next: start + value.length }
}

/** 'credentials: ada:X', 'login: ada / X', from the first word on. */
export function matchSpokenLogin(text: string, at: number): Match | undefined {
  return spokenBy(CREDENTIALS, text, at) ?? spokenBy(SPANISH, text, at)
}

/** 'admin password is now X', 'das Kennwort lautet X'. */
function spokenLoosely(text: string, at: number): Match | undefined {
  const match = spokenBy(SPOKEN_LOOSE, text, at)
  const { start = 0, end = 0 } = match?.found[0] ?? {}
  const value = text.slice(start, end)
  return splitWords(value).length * 3 >= value.length && /\d\D*\d/.test(value) ? match : undefined
}

function spokenBy(pattern: RegExp, text: string, at: number): Match | undefined {
  pattern.lastIndex = at
  const [whole, said = ''] = pattern.exec(text) ?? []
  const value = said.replace(/[.?:)\]}]+$/, '')
  if (whole === undefined || !isScrambled(value) || /[/(<[{\\.=]/.test(value) || !isApart(value) || isPlaceholder(value)) return undefined
  const start = at + whole.length - said.length
  return hasTellingStart(text, start)
    ? undefined
    : { found: [{ kind: 'password', start, end: start + value.length }], next: start + value.length }
}

/** 'your token is X', from the word token, secret or key on. */
export function matchSpokenToken(text: string, at: number): Match | undefined {
  const second = text.charCodeAt(at + 1) | 0x20
  // "token", "secret", "key", "Kennwort" and "senha".
  if (second !== 0x6f && second !== 0x65) return undefined
  SPOKEN_TOKEN.lastIndex = at
  const [whole, said = ''] = SPOKEN_TOKEN.exec(text) ?? []
  const value = said.replace(/[.?:)]+$/, '')
  const start = at + (whole?.length ?? 0) - said.length
  // 'key 5d41…' is a hash at times: without a verb the letters must tell.
  const isTold = whole !== undefined && /\bis\b|[:\n]/i.test(whole.slice(0, whole.length - said.length))
  const isSecret = isTold ? isGenerated(value, undefined) : isJumbled(value) && hasRandomRun(value, 16)
  if (whole === undefined || !isSecret || isPlaceholder(value) || hasTellingStart(text, start)) return spokenLoosely(text, at)
  return { found: [{ kind: 'token', start, end: start + value.length }], next: start + value.length }
}

/** Words for a password that do not end in ASCII, or stand behind their first word. */
const FOREIGN =
  /(?:contrase[ñn]a|mot de passe|密码|密碼|パスワード|пароль|비밀번호|hasło|lösenord|şifre)(?:[은는이가]|は)?[\s*"'`]{0,4}(?:(?:\p{L}{1,16} ){1,3}|(?:es|est|is|to|это|是|は|är)[\s"'`]{0,2}|(?: ?\p{L}{1,16}){1,3})?:?\s?$/iu

/** The name before a separator in other languages than the names of code. */
export function namesPassword(text: string, at: number): boolean {
  return FOREIGN.test(text.slice(Math.max(0, at - 24), at))
}

/** 'пароль X', 'la contraseña es X': the word at `at` stands behind one for a password, and is one. */
export function matchForeignPassword(text: string, at: number): Match | undefined {
  FOREIGN_VALUE.lastIndex = at
  const value = FOREIGN_VALUE.exec(text)?.[0].replace(/[.?:)]+$/, '') ?? ''
  if (!isScrambled(value) || !namesPassword(text, at) || isPlaceholder(value)) return undefined
  return { found: [{ kind: 'password', start: at, end: at + value.length }], next: at + value.length }
}

const FOREIGN_VALUE = /[^\s"'`,;，。]{8,128}/y
