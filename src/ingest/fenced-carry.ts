/** What an adapter remembers between two reads can hold what was forgotten: such a memory is not kept. Pure. */
import type { Fence } from '../ledgers/fence.ts'
import { isForgotten } from '../ledgers/fenced-value.ts'

/** True where a string in it, or a key, was forgotten. */
export function holdsForgotten(value: unknown, fence: Fence): boolean {
  if (typeof value === 'string') return isForgotten(value, fence)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => holdsForgotten(item, fence))
  return Object.entries(value).some(([key, inner]) => isForgotten(key, fence) || holdsForgotten(inner, fence))
}
