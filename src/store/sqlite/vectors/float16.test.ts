import { expect, it } from 'vitest'
import { float16Bits, float16Table } from './float16.ts'

const asHalf = (value: number) => float16Table()[float16Bits(value)] as number

it('every half is its own nearest', () => {
  const table = float16Table()
  for (let half = 0; half < 65_536; half++) {
    const value = table[half] as number
    if (Number.isNaN(value)) expect(Number.isNaN(asHalf(value))).toBe(true)
    else expect(float16Bits(value), String(value)).toBe(half)
  }
})

it.each([
  [1, 0x3c00],
  [-2, 0xc000],
  [0.1, 0x2e66],
  [65_504, 0x7bff],
  [65_519, 0x7bff],
  [65_520, 0x7c00],
  [2 ** -24, 1],
  [2 ** -25, 0], // tie: rounds to even
  [3 * 2 ** -25, 2],
  [2 ** -14 - 2 ** -25, 0x0400], // rounds up to the smallest normal number
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
])('%f is stored as %i', (value, half) => expect(float16Bits(value)).toBe(half))

it('is off by at most half of the last of eleven bits', () => {
  for (let i = 1; i < 5000; i++) {
    const value = Math.sin(i) * 0.3
    expect(Math.abs(asHalf(value) - value)).toBeLessThanOrEqual(Math.max(Math.abs(value) * 2 ** -11, 2 ** -25))
  }
})
