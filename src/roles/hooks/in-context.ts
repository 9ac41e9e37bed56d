/** For harnesses that show no notice: inside the memory block, so that it is never captured. */
import { markMemory } from '../../core/marked-text.ts'
import type { HookWords } from './harness.ts'

export function inContext({ context, notice }: HookWords): string {
  if (notice === undefined) return context
  const marked = markMemory(`For the person, in one sentence: ${notice}`)
  return context === '' ? marked : `${context}\n${marked}`
}
