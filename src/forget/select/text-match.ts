/** Matches despite case, normalization, white space, invisible characters, escapes and base64. Pure. */
import { parseJson } from '../../core/nesting.ts'
import { withoutStrings } from '../../tombstones/without-forgotten.ts'
import { base64Forms, urlForms } from '../prove/encodings.ts'
import { escapedPassages } from '../prove/escapes.ts'
import { base64InAnyCase } from './base64-in-any-case.ts'
import { type Invisible, invisibleIn, visibleForms } from './invisible-characters.ts'

export interface TextMatch {
  holds(value: string): boolean
  indexIn(value: string): number | undefined
  readonly forms: ReadonlySet<string>
}

const MOST_FORMS = 100
const ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }

export function textMatch(text: string): TextMatch {
  const spelled = new Set(visibleForms(text).flatMap((form) => [form, form.normalize('NFC'), form.normalize('NFD')]))
  const invisible = invisibleIn(text)
  const plain = new RegExp([...spelled].map((form) => pattern(form, invisible)).join('|'), 'giu')
  const mayHold = quickLook(spelled)
  const variants = new Set([...spelled].flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]))
  const encoded = [...variants].flatMap((variant) => [...base64Forms(variant), ...urlForms(variant).filter((form) => form !== variant)])
  const hidden = new Set(encoded)
  const forms = new Set<string>([...variants, text.replace(/\s+/gu, ' ')])
  // Base64 hides letter case, so other cases must be decoded.
  const isCased = text.toLowerCase() !== text.toUpperCase()
  const encodedWord = base64InAnyCase(new Set([...variants].map((one) => longest(one.split(/\s+/u)))))
  const shortest = Math.max(SHORTEST_RUN, Math.ceil((Math.min(...[...spelled].map((one) => Buffer.byteLength(one))) * 8) / 6))
  const longestForm = Math.max(...[...spelled].map((one) => Buffer.byteLength(one))) * WITH_INVISIBLE
  return {
    forms,
    indexIn: (value) => value.matchAll(plain).next().value?.index,
    holds(value) {
      let found = false
      if (mayHold(value)) {
        for (const [form] of value.matchAll(plain)) {
          found = true
          if (forms.size < MOST_FORMS) forms.add(form)
        }
      }
      if (found) return true
      const decoded = isCased && encodedWord?.test(value) !== false ? decodedIn(value, { plain, shortest }) : undefined
      if (decoded !== undefined && forms.size < MOST_FORMS) forms.add(decoded)
      if (decoded !== undefined) return true
      const unescaped = ESCAPE.test(value) ? unescapedIn(value, { plain, longest: longestForm }) : undefined
      if (unescaped !== undefined && forms.size < MOST_FORMS) forms.add(unescaped)
      if (unescaped !== undefined) return true
      const joined = BROKEN.test(value) ? value.replace(BREAKS, '') : undefined
      return [...hidden].some((form) => value.includes(form) || joined?.includes(form))
    },
  }
}

/** The only invisible characters that plain ASCII values may contain. */
const EMPHASIS = /[*`_~]+/g
const NOT_PLAIN = /[^\n\r\t\x20-\x5b\x5d-\x7e]/

/** Prefilter: plain ASCII values must contain the longest word. */
function quickLook(spelled: Iterable<string>): (value: string) => boolean {
  const words = [...spelled].map((form) => longest(form.split(/\s+/u)).replace(EMPHASIS, '').toLowerCase())
  if (words.some((word) => word === '' || NOT_PLAIN.test(word))) return () => true
  return (value) => {
    if (NOT_PLAIN.test(value)) return true
    const lower = value.toLowerCase().replace(EMPHASIS, '')
    return words.some((word) => lower.includes(word))
  }
}

function longest(words: readonly string[]): string {
  return words.reduce((best, word) => (word.length > best.length ? word : best), '')
}

const SHORTEST_RUN = 12
const RUN = /[A-Za-z0-9+/_-]{12,}/g
/** Base64 alignments. */
const BEGINNINGS = [0, 1, 2, 3]

/** Ignores letter case. */
function decodedIn(value: string, { plain, shortest }: { readonly plain: RegExp; readonly shortest: number }): string | undefined {
  for (const [run] of value.matchAll(RUN)) {
    if (run.length < shortest) continue
    for (const from of BEGINNINGS) {
      const [found] = Buffer.from(run.slice(from), 'base64').toString('utf8').matchAll(plain).next().value ?? []
      if (found !== undefined) return found
    }
  }
  return undefined
}

const ESCAPE = /%[0-9a-f]{2}|\\[ux][0-9a-f{]|&#x?[0-9a-f]/i
/** Allowance for white space and invisible characters. */
const WITH_INVISIBLE = 2

function unescapedIn(value: string, { plain, longest }: { readonly plain: RegExp; readonly longest: number }): string | undefined {
  for (const passage of escapedPassages(longest)(Buffer.from(value))) {
    const [found] = passage.toString('utf8').matchAll(plain).next().value ?? []
    if (found !== undefined) return found
  }
  return undefined
}

const BROKEN = /(?:[\r\n]|\\[rn])(?<=[A-Za-z0-9+/_-]{60}(?:[\r\n]|\\{1,64}[rn]))/
const BREAKS = /(?:[\r\n]|\\{1,64}[rn])+/g

/** A title may differ from its message in white space and emphasis. */
function pattern(text: string, { within, between }: Invisible): string {
  return text
    .split(/(\s+)/u)
    .map((run) => (/^\s/u.test(run) ? between : [...run].map(anyForm).join(within)))
    .join('')
}

/** Nested JSON adds backslashes. */
function anyForm(character: string): string {
  const self = `\\u{${(character.codePointAt(0) as number).toString(16)}}`
  // The case-insensitive flag does not apply to escapes.
  const units = [...new Set([character, character.toLowerCase(), character.toUpperCase()])].map(escaped).join('|')
  const short = ESCAPES[character]
  if (short !== undefined) return `(?:${self}|\\\\{1,64}${short}|${units})`
  if (character === '"' || character === '/') return `(?:\\\\{0,64}${self}|${units})`
  if (character === '\\') return `(?:(?:${self}){1,64}|${units})`
  return `(?:${self}|${units})`
}

function escaped(characters: string): string {
  const unit = (_: unknown, i: number) => `\\\\{1,64}u${characters.charCodeAt(i).toString(16).padStart(4, '0')}`
  return Array.from({ length: characters.length }, unit).join('')
}

/** Strings longer than this are not checked one by one: their record is removed. */
const LONGEST_STRING = 4096

/** Undefined if single strings are not enough: invalid or deep JSON, a string too long, or a match in a number or across strings. */
export function heldStrings(json: string, match: TextMatch): string[] | undefined {
  let value: unknown
  try {
    value = parseJson(json)
  } catch {
    return undefined // a model's output may be invalid JSON
  }
  const found: string[] = []
  collect(value, match, found)
  if (found.length === 0 || found.some((one) => one.length > LONGEST_STRING)) return undefined
  const strings = new Set(found)
  const rest = withoutStrings(value, (one) => strings.has(one))
  return match.holds(JSON.stringify(rest)) ? undefined : found
}

function collect(value: unknown, match: TextMatch, found: string[]): void {
  if (typeof value === 'string') {
    if (match.holds(value)) found.push(value)
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, match, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (match.holds(key)) found.push(key)
      collect(inner, match, found)
    }
  }
}
