import { describe, expect, it } from 'vitest'
import type { SearchResult } from '../../search/result.ts'
import { helpful, isLikely, isSure } from './helpful.ts'

const hit = (id: string, sure?: number) => ({ id, ...(sure === undefined ? {} : { explain: { sure } }) }) as unknown as SearchResult
const ids = (hits: readonly SearchResult[], isAnswered = false) => {
  const left: { citation: string; why: string }[] = []
  return { kept: helpful(hits, { isAnswered, left }).map(({ id }) => id), left: left.map(({ citation }) => citation) }
}

describe('which hits help', () => {
  it('the first five as they are ranked, then those that say half as much as the best', () => {
    const hits = [hit('a', 0.9), hit('b', 0.1), hit('c', 0.1), hit('d', 0.1), hit('e', 0.1), hit('f', 0.44), hit('g', 0.46), hit('h')]
    expect(ids(hits)).toEqual({ kept: ['a', 'b', 'c', 'd', 'e', 'g', 'h'], left: ['f'] })
  })

  it('none that says nothing of it, and the first in any case', () => {
    const hits = [hit('a', 0.9), hit('b', 0.02), hit('c', 0), hit('d', 0.1), hit('work')]
    expect(ids(hits)).toEqual({ kept: ['a', 'd', 'work'], left: ['b', 'c'] })
    expect(ids([hit('a', 0), hit('b', 0)]).kept).toEqual(['a'])
  })

  it('of forty turns twelve, and every part of these', () => {
    const hits = Array.from({ length: 40 }, (_, i) => hit(`t${i}`, 0.8))
    expect(ids([...hits, hit('t3', 0.8)]).kept).toEqual([...Array.from({ length: 12 }, (_, i) => `t${i}`), 't3'])
  })

  it('beside a line that answers five that speak of just that', () => {
    const hits = [hit('a', 0.9), hit('b', 0.5), ...Array.from({ length: 8 }, (_, i) => hit(`t${i}`, 0.6))]
    expect(ids(hits, true).kept).toEqual(['a', 't0', 't1', 't2', 't3'])
  })

  it('is sure by the best of the first three', () => {
    expect(isSure([hit('a', 0.2), hit('b', 0.3), hit('c', 0.7)])).toBe(true)
    expect(isSure([hit('a', 0.2), hit('b', 0.3), hit('c', 0.3), hit('d', 0.9)])).toBe(false)
    expect(isSure([])).toBe(false)
  })

  it('is likely with less, and not of what only shares a word', () => {
    expect(isLikely([hit('a', 0.45)])).toBe(true)
    expect(isSure([hit('a', 0.45)])).toBe(false)
    expect(isLikely([hit('a', 0.35)])).toBe(false)
  })
})
