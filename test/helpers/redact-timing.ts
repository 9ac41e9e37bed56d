/** Asserts that redaction time grows linearly with repeated text. */
import { expect } from 'vitest'
import { redact } from '../../src/core/redact.ts'
import { processorTime } from './processor-time.ts'

const LENGTH = 250_000
/** Several times the slowest case; quadratic time would be twelve times this. Processor time, so other load does not matter. */
const MOST_MS = 2500

export function expectLinear(piece: string): void {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length))
  const spent = processorTime()
  expect(redact(text).text.length).toBeGreaterThan(0)
  expect(spent()).toBeLessThan(MOST_MS)
}
