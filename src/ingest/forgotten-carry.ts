/** What an adapter remembers between two reads can hold what was forgotten: such a memory is not kept. Pure. */
import type { Tombstones } from '../tombstones/tombstones.ts'
import { isForgotten } from '../tombstones/without-forgotten.ts'

/** True where a string in it, or a key, was forgotten. */
export function holdsForgotten(value: unknown, tombstones: Tombstones): boolean {
  if (typeof value === 'string') return isForgotten(value, tombstones)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => holdsForgotten(item, tombstones))
  return Object.entries(value).some(([key, inner]) => isForgotten(key, tombstones) || holdsForgotten(inner, tombstones))
}
