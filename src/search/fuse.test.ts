import { describe, expect, it } from 'vitest'
import type { Ranked } from './candidate.ts'
import { fuse } from './fuse.ts'

const hit = (chunkId: number, score = 0.5, matched: string[] = []): Ranked => ({ chunkId, group: 's', score, parts: {}, matched })
const others = (from: number, count: number) => Array.from({ length: count }, (_, i) => hit(from + i))
const ids = (ranked: readonly Ranked[]) => ranked.map(({ chunkId }) => chunkId)

describe('lists of several phrasings', () => {
  it('leaves the only list as it is', () => {
    const only = [hit(1, 0.9), hit(2, 0.4)]
    expect(fuse([only])).toEqual(only)
    expect(fuse([])).toEqual([])
  })

  it('puts first what several phrasings find near the top', () => {
    expect(
      ids(
        fuse([
          [hit(1), hit(2)],
          [hit(3), hit(2)],
        ]),
      )[0],
    ).toBe(2)
  })

  it('does not bury the first hit of one phrasing under what two find far down', () => {
    const far = (from: number) => [hit(from), ...others(from + 1, 24), hit(999)]
    const fused = ids(fuse([far(100), far(200)]))
    expect(fused.indexOf(100)).toBeLessThan(fused.indexOf(999))
    expect(fused.indexOf(200)).toBeLessThan(fused.indexOf(999))
    // With a constant of 60 it comes first.
    expect(ids(fuse([far(100), far(200)], 60))[0]).toBe(999)
  })

  it('lets two phrasings that find it among their first ten win over one', () => {
    const near = (from: number) => [hit(from), ...others(from + 1, 8), hit(999)]
    expect(ids(fuse([near(100), near(200)]))[0]).toBe(999)
  })

  it('says which phrasings found a hit and by which words, with a score that never rises', () => {
    const fused = fuse([
      [hit(1, 0.3, ['tap']), hit(2, 0.2, ['token'])],
      [hit(3, 0.9), hit(1, 0.8, ['brew', 'tap'])],
    ])
    expect(fused[0]).toMatchObject({ chunkId: 1, foundBy: [0, 1], matched: ['tap', 'brew'], score: 0.8 })
    expect(fused.map(({ score }) => score)).toEqual([0.8, 0.8, 0.2])
  })
})
