/** Takes forgotten strings out of what a record carries along: whole strings inside JSON, whatever depth. What is not forgotten stays as it is. */
import { isTooDeep } from '../core/nesting.ts'
import type { Tombstones } from './tombstones.ts'

/** A longer string is a text: those are fenced with the record that says them. */
const LONGEST = 4096
const DEEPEST = 20

/** The same value where nothing in it is forgotten; a copy without the forgotten strings, and keys, else. */
export function withoutForgotten(value: unknown, tombstones: Tombstones): unknown {
  return withoutStrings(value, (text) => isForgotten(text, tombstones))
}

/** What lies deeper than any harness writes stays as it is. */
export function withoutStrings(value: unknown, goes: (text: string) => boolean, depth = 0): unknown {
  if (typeof value === 'string') return goes(value) ? '' : value
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) {
    const kept = value.map((item) => withoutStrings(item, goes, depth + 1))
    return kept.some((item, i) => item !== value[i]) ? kept : value
  }
  let changed = false
  const kept: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const clean = withoutStrings(inner, goes, depth + 1)
    const gone = goes(key)
    if (clean !== inner || gone) changed = true
    if (!gone) kept[key] = clean
  }
  return changed ? kept : value
}

/** JSON as a column holds it; undefined where nothing in it is forgotten. */
export function jsonWithoutForgotten(json: string, tombstones: Tombstones): string | undefined {
  if (isForgotten(json, tombstones)) return JSON.stringify('')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined // no JSON: only the whole string could be forgotten
  }
  const kept = withoutForgotten(value, tombstones)
  // What nests so deep cannot always be written again: better all of it goes than that something forgotten stays.
  return kept === value ? undefined : JSON.stringify(isTooDeep(json) ? '' : kept)
}

export function isForgotten(text: string, tombstones: Tombstones): boolean {
  return text.length > 0 && text.length <= LONGEST && tombstones.holds('value', text)
}
