/** Says of a piece of text that redaction takes time as the text is long, however often it is repeated. */
import { expect } from 'vitest'
import { redact } from '../../src/core/redact.ts'
import { processorTime } from './processor-time.ts'

const LENGTH = 250_000
/**
 * Some times of what the slowest takes; time that grows with the square, at a step a nanosecond, would be twelve times of it. Of the processor, not
 * of the clock: what else the machine does makes no difference.
 */
const MOST_MS = 2500

export function expectLinear(piece: string): void {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length))
  const spent = processorTime()
  expect(redact(text).text.length).toBeGreaterThan(0)
  expect(spent()).toBeLessThan(MOST_MS)
}
