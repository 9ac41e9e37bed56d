/** Redacts a stored text on its way out, also where it is JSON: a secret behind JSON escapes is still a secret. */
import { redactSensitiveText } from '../core/redact.ts'

/** JSON in strings in JSON is common in tool results; deeper than this it is only text. */
const DEEPEST = 8

export type Redact = (text: string) => string

/** Plain text. */
export function redactText(text: string): string {
  return redactSensitiveText(text, { mode: 'tools' })
}

/**
 * Text that may be JSON: first its escaped strings, then the whole, in which a key says what its value is.
 * Everything around a secret stays as it is, byte for byte.
 */
export function redactStored(text: string): string {
  return redactText(redactEscaped(text, 0))
}

/** For the owner's own eyes. */
export function keepRaw(text: string): string {
  return text
}

/** Looks into the string literals that have escapes. No tree is built: JSON may be large, deep or broken off. */
function redactEscaped(text: string, depth: number): string {
  if (depth > DEEPEST) return text
  const marks = /["\\]/g
  let out = ''
  let done = 0
  let start = -1
  let escapes = false
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (start < 0) {
      if (mark[0] === '"') start = mark.index
      escapes = false
    } else if (mark[0] === '\\') {
      escapes = true
      marks.lastIndex = mark.index + 2
    } else {
      const end = mark.index + 1
      const literal = escapes ? redactLiteral(text.slice(start, end), depth) : undefined
      if (literal !== undefined) {
        out += text.slice(done, start) + literal
        done = end
      }
      start = -1
    }
  }
  return out + text.slice(done)
}

/** The literal without its secrets; undefined when it holds none, or is no JSON string. */
function redactLiteral(literal: string, depth: number): string | undefined {
  let value: string
  try {
    value = JSON.parse(literal) as string
  } catch {
    return undefined // quotes that are no JSON: the whole text is redacted as it stands
  }
  const safe = redactText(redactEscaped(value, depth + 1))
  return safe === value ? undefined : JSON.stringify(safe)
}
