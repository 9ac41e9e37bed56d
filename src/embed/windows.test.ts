import { describe, expect, it } from 'vitest'
import { estimateTokens, normalized, ownTokens, pooled, splitWindows, tokenWindows } from './windows.ts'

const sentence = (i: number) => `Sentence number ${i} says something about gardens, engines and letters.`
const long = Array.from({ length: 400 }, (_, i) => sentence(i)).join(' ')

describe('splitWindows', () => {
  it('leaves a text alone that fits', () => {
    expect(splitWindows('a short text', 256)).toEqual(['a short text'])
    expect(splitWindows('', 256)).toEqual([''])
  })

  it('covers the text from its first to its last character, each window within the limit', () => {
    const windows = splitWindows(long, 256)
    expect(windows.length).toBeGreaterThan(20)
    let at = 0
    for (const window of windows) {
      const found = long.indexOf(window)
      expect(found).toBeGreaterThanOrEqual(0)
      expect(found).toBeLessThanOrEqual(at)
      expect(estimateTokens(window)).toBeLessThanOrEqual(256)
      at = found + window.length
    }
    expect(at).toBe(long.length)
  })

  it('lets neighbours overlap by whole words', () => {
    const [first = '', second = ''] = splitWindows(long, 256)
    const overlap = first.slice(long.indexOf(second))
    expect(overlap.length).toBeGreaterThan(20)
    expect(second.startsWith(overlap)).toBe(true)
    expect(second).toMatch(/^[A-Za-z0-9]/)
  })

  it('counts a long run without spaces by its length, although it is one token of the embedded model', () => {
    const windows = splitWindows('x'.repeat(10_000), 256)
    expect(windows.length).toBeGreaterThan(9)
    expect(Math.max(...windows.map((window) => window.length))).toBeLessThanOrEqual(1024)
  })

  it('never cuts a surrogate pair, and ends', () => {
    for (const window of splitWindows('🌱'.repeat(2000), 16)) expect(() => encodeURIComponent(window)).not.toThrow()
    expect(splitWindows('word '.repeat(50), 1).length).toBeGreaterThan(1)
  })
})

const tokens = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('tokenWindows', () => {
  it('a text that fits is one window, also an empty one', () => {
    expect(tokenWindows(tokens(254), 254)).toEqual([tokens(254)])
    expect(tokenWindows([], 254)).toEqual([[]])
  })

  it.each([255, 300, 476, 477, 500, 1_000, 10_001])('%i tokens are all covered by full windows that overlap', (count) => {
    const all = tokenWindows(tokens(count), 254)
    expect(all.every((window) => window.length === 254)).toBe(true)
    expect(all[0]?.[0]).toBe(0)
    expect(all.at(-1)?.at(-1)).toBe(count - 1)
    for (let at = 1; at < all.length; at++) expect((all[at - 1]?.at(-1) ?? 0) - (all[at]?.[0] ?? 0)).toBeGreaterThanOrEqual(31)
  })

  it('no more windows than needed', () => {
    expect(tokenWindows(tokens(476), 254)).toHaveLength(2)
    expect(tokenWindows(tokens(477), 254)).toHaveLength(3)
  })
})

describe('pooled', () => {
  it('is the mean weighted with the lengths, at length 1', () => {
    const parts = [
      { vector: Float32Array.of(1, 0), weight: 3 },
      { vector: Float32Array.of(0, 1), weight: 1 },
    ]
    expect([...pooled(parts)].map((value) => value.toFixed(4))).toEqual(['0.9487', '0.3162'])
  })

  it('gives a single vector back as it is', () => {
    const vector = normalized([3, 4])
    expect(pooled([{ vector, weight: 7 }])).toBe(vector)
  })
})

describe('ownTokens', () => {
  it.each([0, 1, 254, 255, 300, 477, 1_000, 10_001])('of %i tokens each belongs to one window, in order', (count) => {
    const windows = tokenWindows(tokens(count), 254)
    const own = ownTokens(count, 254).flatMap(({ start, from, to }, i) => {
      expect(windows[i]?.[0] ?? 0).toBe(start)
      return windows[i]?.slice(from, to) ?? []
    })
    expect(own).toEqual(tokens(count))
  })

  it('what two share is parted in the middle', () => {
    const [first, second] = ownTokens(476, 254) as [
      { start: number; from: number; to: number },
      { start: number; from: number; to: number },
    ]
    expect(first.to - second.start).toBe(254 - first.to)
    expect(second.start + second.from).toBe(first.to)
  })
})
