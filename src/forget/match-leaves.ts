/** The strings in a JSON value that hold a text: each is forgotten by itself, wherever it comes again. Pure. */
import { parseJson } from '../core/nesting.ts'
import { withoutStrings } from '../tombstones/without-forgotten.ts'
import type { TextMatch } from './text-match.ts'

/** Longer strings are not looked at one by one on the way in: the record that holds one goes. */
const LONGEST = 4096

/** Undefined where taking single strings out does not help: it is no JSON or nests too deep, one is too long or lies too deep, a number or two strings hold it. */
export function heldStrings(json: string, match: TextMatch): string[] | undefined {
  let value: unknown
  try {
    value = parseJson(json)
  } catch {
    return undefined // some harnesses keep what a model wrote, broken or not
  }
  const found: string[] = []
  collect(value, match, found)
  if (found.length === 0 || found.some((one) => one.length > LONGEST)) return undefined
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
