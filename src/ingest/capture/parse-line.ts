/** Every transcript text passes here, where injected memory and private text are cut. Never throws. */
import { TOO_LARGE } from '../../core/largest-record.ts'
import { cutMarkedDeep, hasMarked } from '../../core/marked-text.ts'
import { isTooDeep, TOO_DEEP } from '../../core/nesting.ts'
import type { Line } from '../lines.ts'

export interface ParsedLine {
  /** Empty for a blank line; several if a newline was lost. */
  readonly values: readonly unknown[]
  readonly error?: string
  /** Values of an invalid UTF-8 line with U+FFFD, only for detecting the session. */
  readonly mended?: readonly unknown[]
}

const NOTHING: ParsedLine = { values: [] }
const NOT_UTF8 = 'not UTF-8'
export const TOO_LONG: ParsedLine = { values: [], error: TOO_LARGE }

export function lineValues(line: Line): ParsedLine {
  if (line.tooLong) return TOO_LONG
  return line.valid ? parseLine(line.text) : { values: [], error: NOT_UTF8, mended: parseLine(line.text).values }
}

export function parseLine(raw: string): ParsedLine {
  if (raw.trim() === '') return NOTHING
  if (isTooDeep(raw)) return { values: [], error: TOO_DEEP }
  const values = parsed(raw)
  if (values === undefined) return { values: [], error: 'not JSON' }
  if (raw.includes('\\u') && HALF_CHARACTER.test(raw)) return wholeCharacters(raw, values)
  return { values: hasMarked(raw) ? values.map((value) => cutMarkedDeep(value)) : values }
}

/** Lone surrogate escapes would produce invalid UTF-8. */
const HALF_CHARACTER = /\\ud[89a-f]/i

function wholeCharacters(raw: string, values: readonly unknown[]): ParsedLine {
  const whole = values.map((value) => JSON.parse(JSON.stringify(value, wellFormed)) as unknown)
  return { values: hasMarked(raw) ? whole.map((value) => cutMarkedDeep(value)) : whole }
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

function parsed(raw: string): unknown[] | undefined {
  try {
    return [JSON.parse(raw)]
  } catch {
    return splitObjects(raw)?.map((part) => JSON.parse(part) as unknown)
  }
}

export function splitObjects(raw: string): string[] | undefined {
  const parts: string[] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i] as string
    if (inString) {
      if (char === '\\') i += 1
      else if (char === '"') inString = false
      continue
    }
    if (char === '"' && depth > 0) inString = true
    else if (char === '{') {
      if (depth === 0) start = i
      depth += 1
    } else if (char === '}') {
      depth -= 1
      if (depth < 0) return undefined
      if (depth === 0) parts.push(raw.slice(start, i + 1))
    } else if (depth === 0 && char.trim() !== '') return undefined
  }
  return depth === 0 && !inString && parts.length > 1 && parts.every(isJson) ? parts : undefined
}

function isJson(part: string): boolean {
  try {
    JSON.parse(part)
    return true
  } catch {
    return false
  }
}
