/** Recognises a text in a value of the database: literally, in any letter case, escaped for JSON however often, in a URL or in base64. Pure. */
import { base64Forms, urlForms } from './encodings.ts'

export interface TextMatch {
  holds(value: string): boolean
  /** The forms in which it was met so far, as they stood. */
  readonly met: ReadonlySet<string>
}

const MOST_FORMS = 100
const ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }

export function textMatch(text: string): TextMatch {
  const plain = new RegExp([...text].map(anyForm).join(''), 'giu')
  const variants = new Set([text, text.toLowerCase(), text.toUpperCase()])
  const encoded = [...variants].flatMap((variant) => [...base64Forms(variant), ...urlForms(variant).filter((form) => form !== variant)])
  const hidden = new Set(encoded)
  const met = new Set<string>(variants)
  return {
    met,
    holds(value) {
      let found = false
      for (const [form] of value.matchAll(plain)) {
        found = true
        if (met.size < MOST_FORMS) met.add(form)
      }
      return found || [...hidden].some((form) => value.includes(form))
    },
  }
}

/** A character as itself or as an escape of JSON: behind one backslash, or behind many where JSON lies in JSON. */
function anyForm(character: string): string {
  const self = `\\u{${(character.codePointAt(0) as number).toString(16)}}`
  const units = Array.from({ length: character.length }, (_, i) => `\\\\+u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
    '',
  )
  const short = ESCAPES[character]
  if (short !== undefined) return `(?:${self}|\\\\+${short}|${units})`
  if (character === '"' || character === '/') return `(?:\\\\*${self}|${units})`
  if (character === '\\') return `(?:(?:${self})+|${units})`
  return `(?:${self}|${units})`
}
