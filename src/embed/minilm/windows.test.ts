import { describe, expect, it } from 'vitest'
import { pooled, windows } from './windows.ts'

const tokens = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('windows', () => {
  it('a text that fits is one window, also an empty one', () => {
    expect(windows(tokens(254), 254)).toEqual([tokens(254)])
    expect(windows([], 254)).toEqual([[]])
  })

  it.each([255, 300, 476, 477, 500, 1_000, 10_001])('%i tokens are all covered by full windows that overlap', (count) => {
    const all = windows(tokens(count), 254)
    expect(all.every((window) => window.length === 254)).toBe(true)
    expect(all[0]?.[0]).toBe(0)
    expect(all.at(-1)?.at(-1)).toBe(count - 1)
    for (let at = 1; at < all.length; at++) expect((all[at - 1]?.at(-1) ?? 0) - (all[at]?.[0] ?? 0)).toBeGreaterThanOrEqual(31)
  })

  it('no more windows than needed', () => {
    expect(windows(tokens(476), 254)).toHaveLength(2)
    expect(windows(tokens(477), 254)).toHaveLength(3)
  })
})

describe('pooled', () => {
  it('one part is returned as it is', () => {
    const vector = Float32Array.of(0.6, 0.8)
    expect(pooled([{ vector, weight: 3 }])).toBe(vector)
  })

  it('the mean follows the weights and has length 1', () => {
    const mean = pooled([
      { vector: Float32Array.of(1, 0), weight: 3 },
      { vector: Float32Array.of(0, 1), weight: 4 },
    ])
    expect(mean[0]).toBeCloseTo(0.6)
    expect(mean[1]).toBeCloseTo(0.8)
  })
})
