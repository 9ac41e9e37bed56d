/**
 * Recognises a text in a value of the database: in any letter case, with letters and accents composed or not, with any white space between its
 * words, with signs between its characters that are not shown, escaped for JSON however often, in a URL or in base64. Pure.
 */
import { base64Forms, urlForms } from './encodings.ts'
import { saidForms, type Unshown, unshownIn } from './unshown.ts'

export interface TextMatch {
  holds(value: string): boolean
  /** Where it stands in a value first, as it is or with what is not shown. */
  place(value: string): number | undefined
  /** The forms in which it was met so far, as they stood. */
  readonly met: ReadonlySet<string>
}

const MOST_FORMS = 100
const ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }

export function textMatch(text: string): TextMatch {
  const spelled = new Set(saidForms(text).flatMap((form) => [form, form.normalize('NFC'), form.normalize('NFD')]))
  const unshown = unshownIn(text)
  const plain = new RegExp([...spelled].map((form) => pattern(form, unshown)).join('|'), 'giu')
  const variants = new Set([...spelled].flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]))
  const encoded = [...variants].flatMap((variant) => [...base64Forms(variant), ...urlForms(variant).filter((form) => form !== variant)])
  const hidden = new Set(encoded)
  const met = new Set<string>([...variants, text.replace(/\s+/gu, ' ')])
  return {
    met,
    place: (value) => value.matchAll(plain).next().value?.index,
    holds(value) {
      let found = false
      for (const [form] of value.matchAll(plain)) {
        found = true
        if (met.size < MOST_FORMS) met.add(form)
      }
      if (found) return true
      const joined = BROKEN.test(value) ? value.replace(BREAKS, '') : undefined
      return [...hidden].some((form) => value.includes(form) || joined?.includes(form))
    },
  }
}

/** Base64 in lines, as mail and keys have it. */
const BROKEN = /(?:[\r\n]|\\[rn])(?<=[A-Za-z0-9+/_-]{60}(?:[\r\n]|\\{1,64}[rn]))/
const BREAKS = /(?:[\r\n]|\\{1,64}[rn])+/g

/** Titles and lists say in one line what a message says in two, and without its emphasis. */
function pattern(text: string, { within, between }: Unshown): string {
  return text
    .split(/(\s+)/u)
    .map((run) => (/^\s/u.test(run) ? between : [...run].map(anyForm).join(within)))
    .join('')
}

/** A character as itself or as an escape of JSON: behind one backslash, or behind many where JSON lies in JSON. */
function anyForm(character: string): string {
  const self = `\\u{${(character.codePointAt(0) as number).toString(16)}}`
  const units = Array.from(
    { length: character.length },
    (_, i) => `\\\\{1,64}u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
  const short = ESCAPES[character]
  if (short !== undefined) return `(?:${self}|\\\\{1,64}${short}|${units})`
  if (character === '"' || character === '/') return `(?:\\\\{0,64}${self}|${units})`
  if (character === '\\') return `(?:(?:${self}){1,64}|${units})`
  return `(?:${self}|${units})`
}
