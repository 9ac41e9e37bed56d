/** Joins all values of parameters and result with field names, redacted. */
import { redactVisible } from '../core/redact.ts'
import type { CallValues } from '../ledgers/deeds/json.ts'
import { INDEXED_MESSAGE, READ_MESSAGE } from './document.ts'

export const READ_CALL = READ_MESSAGE

export interface CallText {
  readonly text: string
  /** Then its parts need redaction too. */
  readonly redacted: boolean
  readonly shortened: boolean
}

export function textOfCall(call: { params_json: string | null; result_json: string | null }, values: CallValues): CallText {
  const texts = [textOfValue(values.params, call.params_json), textOfValue(values.result, call.result_json)]
  // Redacts all at once: a name marks its value as secret.
  const raw = texts.map((text) => (text.length > INDEXED_MESSAGE ? text.slice(0, READ_MESSAGE) : text)).join('\n')
  const text = redactVisible(raw)
  const shortened = [call.params_json, call.result_json].some((json) => json !== null && json.length >= READ_CALL) || texts.some(isTooLong)
  return { text: shortened ? cut(texts) : text, redacted: text !== raw, shortened }
}

const isTooLong = (text: string) => text.length > INDEXED_MESSAGE

/** Redacts before cutting. */
function cut(texts: readonly string[]): string {
  return texts.map((text) => redactVisible(text.slice(0, READ_MESSAGE)).slice(0, INDEXED_MESSAGE).toWellFormed()).join('\n')
}

/** One line per value. */
function textOfValue(value: unknown, json: string | null): string {
  if (json === null) return ''
  // Truncated or invalid JSON: only resolves escapes.
  if (value === json) return unescaped(json)
  const lines: string[] = []
  return addLines(lines, { name: '', value, depth: 0 }) ? lines.join('\n') : unescaped(json)
}

/** Guards the stack. */
const DEEPEST = 500

function addLines(lines: string[], { name, value, depth }: { name: string; value: unknown; depth: number }): boolean {
  if (depth > DEEPEST) return false
  if (value === null || value === undefined || typeof value === 'boolean') return true
  const next = depth + 1
  if (isWords(value)) return addLines(lines, { name, value: value.join(' '), depth: next })
  if (Array.isArray(value)) return value.every((item) => addLines(lines, { name, value: item, depth: next }))
  if (typeof value === 'object')
    return Object.entries(value).every(([key, item]) => addLines(lines, { name: key, value: item, depth: next }))
  lines.push(name === '' || name === 'content' || name === 'text' ? String(value) : `${name}: ${value}`)
  return true
}

/** Joins the words: `-p` marks a password, and people search phrases. */
export function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string' && !item.includes('\n'))
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescaped(json: string): string {
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, mark: string) =>
    code === undefined ? (ESCAPES[mark] ?? mark) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
