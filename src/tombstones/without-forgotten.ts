/** Finds and removes forgotten strings inside JSON values: whole strings and keys, at any depth. Pure. */
import { plainSessionId, sessionId } from '../core/ids.ts'
import { isTooDeep } from '../core/nesting.ts'
import type { Tombstones } from './tombstones.ts'
import { textId } from './write-tombstones.ts'

/** A longer string is a text, which has the tombstone of its record. */
const LONGEST = 4096
const DEEPEST = 20
const LONGEST_NAME = 200

export function isForgotten(text: string, tombstones: Tombstones): boolean {
  return text.length > 0 && text.length <= LONGEST && tombstones.holds('value', text)
}

/** The same value where nothing in it is forgotten, otherwise a copy without the forgotten strings and keys. */
export function withoutForgotten(value: unknown, tombstones: Tombstones): unknown {
  return withoutStrings(value, (text) => isForgotten(text, tombstones))
}

/** What nests deeper than any harness writes stays as it is. */
export function withoutStrings(value: unknown, isRemoved: (text: string) => boolean, depth = 0): unknown {
  if (typeof value === 'string') return isRemoved(value) ? '' : value
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) {
    const kept = value.map((item) => withoutStrings(item, isRemoved, depth + 1))
    return kept.some((item, i) => item !== value[i]) ? kept : value
  }
  let changed = false
  const kept: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const clean = withoutStrings(inner, isRemoved, depth + 1)
    const removed = isRemoved(key)
    if (clean !== inner || removed) changed = true
    if (!removed) kept[key] = clean
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
  // JSON that nests too deep cannot always be written again: it is removed whole rather than kept with something forgotten in it.
  return kept === value ? undefined : JSON.stringify(isTooDeep(json) ? '' : kept)
}

/** True where a string or key in the value was forgotten: what an adapter carries from one read to the next is then not kept. */
export function holdsForgotten(value: unknown, tombstones: Tombstones): boolean {
  return hasString(value, (text) => isForgotten(text, tombstones))
}

/** True if a string or key in the value names a forgotten session, by its id or as its source names it. */
export function namesForgottenSession(value: unknown, source: string, tombstones: Tombstones): boolean {
  const isNamed = (name: string) => tombstones.holds('session', name) || tombstones.holds('session', sessionId(source, name))
  // Some sources put the session's name behind that of a table.
  return hasString(value, (text) => isNamed(text) || (text.length <= LONGEST_NAME && text.includes(' ') && text.split(' ').some(isNamed)))
}

/** True if a string in the value is the text of a forgotten message of one of these sessions: a prompt that still waits, for example. */
export function holdsForgottenText(value: unknown, sessions: readonly string[], tombstones: Tombstones): boolean {
  const plain = new Set(sessions.map((id) => plainSessionId(id) ?? id))
  const isText = (text: string) => tombstones.holdsText(text) || [...plain].some((id) => tombstones.holds('text', textId(id, text)))
  return hasString(value, (text) => text.trim() !== '' && isText(text))
}

function hasString(value: unknown, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => hasString(item, isWanted))
  return Object.entries(value).some(([key, inner]) => isWanted(key) || hasString(inner, isWanted))
}
