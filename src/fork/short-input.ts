import { escapeMarks } from '../core/marked-text.ts'
import { clip, printable } from '../core/text.ts'

const DEEPEST = 6
const MOST_ITEMS = 20

export function shortInput(params: unknown, longest: number): string {
  return escapeMarks(printable(JSON.stringify(shortened(params ?? {}, longest, 0))))
}

export function inputValue(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return input // redaction inside a literal broke the JSON
  }
}

function shortened(value: unknown, longest: number, depth: number): unknown {
  if (typeof value === 'string') return clip(value, longest)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return '[…]'
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => shortened(item, longest, depth + 1))
    return value.length > MOST_ITEMS ? [...items, '[…]'] : items
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, longest, depth + 1)]))
}
