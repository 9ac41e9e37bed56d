/** Error messages name the expected kind and never the given value, which may be a secret. */
import { z } from 'zod'
import { EMAIL, isTimezone } from './plain-values.ts'
import { looksLikeKey } from './secret-value.ts'

const KEY_PASTED = 'the name of an environment variable, not the key itself'

const PHONE_SEPARATORS = /\(0\)|[\s().\-/]/g

export const flag = () => z.boolean('true or false')

export const text = (expected: string, max = 200) =>
  z.string(expected).trim().min(1, expected).max(max, `${expected}, at most ${max} characters`)

export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`
  return z.int(expected).min(min, expected).max(max, expected)
}

export const amount = (max: number) => {
  const expected = `a number from 0 to ${max}`
  return z.number(expected).min(0, expected).max(max, expected)
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`)
}

/** Rejects relative paths: their meaning would depend on the current folder. */
export const path = () => {
  const expected = 'an absolute path, or one that begins with ~/'
  return z.string(expected).regex(/^(?:\/|~(?:[/\\]|$)|[A-Za-z]:[/\\]|\\\\)[^\0]*$/, expected)
}

export const glob = () => {
  const expected = 'a glob, such as "~/private/**" or "scratch-*"'
  return z
    .string(expected)
    .trim()
    .min(1, expected)
    .max(1000, expected)
    .regex(/^[^!]/, 'a glob without a leading "!": exceptions are not supported')
}

export const list = <T extends z.ZodType>(item: T, of: string) => z.array(item, `a list of ${of}`)

export const globs = () => list(glob(), 'globs').default([])

export const agentId = () =>
  text('an agent id').regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'letters, digits, ".", "_" and "-", at most 64, a letter or digit first')

export const email = () => {
  const expected = 'an e-mail address'
  return z.string(expected).trim().toLowerCase().regex(EMAIL, expected)
}

export const phone = () => {
  const expected = 'a phone number with + and country code, such as "+49 30 1234567"'
  return z
    .string(expected)
    .trim()
    .refine((value) => /^\+[1-9]\d{6,14}$/.test(value.replace(PHONE_SEPARATORS, '')), expected)
}

export const timezone = () => {
  const expected = 'a time zone of the IANA database, such as Europe/Berlin or UTC'
  return z.string(expected).trim().refine(isTimezone, expected)
}

export const variable = () =>
  z
    .string(KEY_PASTED)
    .trim()
    .refine((value) => !looksLikeKey(value), { error: KEY_PASTED, abort: true })
    .regex(/^[A-Za-z_]\w{0,99}$/, 'the name of an environment variable, such as OPENAI_API_KEY')

export const words = () => {
  const expected = 'a list of words: a program and its arguments'
  const word = z
    .string(expected)
    .max(4000, expected)
    .regex(/^[^\0]*$/, expected)
  return z
    .array(word, expected)
    .min(1, expected)
    .refine(([program]) => program?.trim() !== '', expected)
}

export const address = () => {
  const expected = 'an http or https address without user name, password or query'
  return z
    .string(expected)
    .trim()
    .refine((value) => {
      if (!URL.canParse(value)) return false
      const url = new URL(value)
      return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
    }, expected)
}
