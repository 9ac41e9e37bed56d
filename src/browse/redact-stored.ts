/** Redacts stored text on output, even inside escaped JSON strings. */
import { redactSensitiveText } from '../core/redact.ts'

/** Tool results nest JSON in JSON strings; deeper levels are plain text. */
const DEEPEST = 8

export type Redact = (text: string) => string

export function redactText(text: string): string {
  return redactSensitiveText(text, { mode: 'tools' })
}

/** Redacts escaped strings first, then the whole, whose keys reveal secrets. Keeps all other bytes. */
export function redactStored(text: string): string {
  return redactText(redactEscaped(text, 0))
}

/** For the owner only. */
export function keepRaw(text: string): string {
  return text
}

/** Builds no tree: JSON may be large, deep or truncated. */
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

function redactLiteral(literal: string, depth: number): string | undefined {
  let value: string
  try {
    value = JSON.parse(literal) as string
  } catch {
    return undefined // no JSON string: redacted as plain text
  }
  const safe = redactText(redactEscaped(value, depth + 1))
  return safe === value ? undefined : JSON.stringify(safe)
}
