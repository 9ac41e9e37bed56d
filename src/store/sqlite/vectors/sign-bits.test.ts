import { describe, expect, it } from 'vitest'
import { hamming, signBits, signBytes, signRow, signWeights, signWords, weigh } from './sign-bits.ts'
import { SEGMENT, SignBitsMemory } from './sign-bits-memory.ts'
import { closest, passing, sift } from './sign-bits-search.ts'
import { shortlist } from './sign-bits-shortlist.ts'

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function vectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  const rand = random(seed)
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, () => rand() - 0.5))
}

const differing = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + Number(value > 0 !== (b[i] as number) > 0), 0)
const pause = () => undefined

describe('sign bits', () => {
  it.each([1, 7, 8, 31, 95, 96, 97, 384, 768, 1000, 1536, 3072])('count differing signs in %i dimensions', (dimensions) => {
    const all = vectors(40, dimensions)
    const words = signWords(dimensions)
    const memory = new Int32Array(all.length * words)
    for (const [i, vector] of all.entries()) memory.set(signRow(vector), i * words)
    const query = all[0] as Float32Array
    const row = signRow(query)
    expect(all.map((_, i) => hamming(memory, i * words, row))).toEqual(all.map((vector) => differing(vector, query)))
    expect(signBits(query)).toHaveLength(signBytes(dimensions))
  })

  it('tell apart the two ends: all bits the same, all bits different', () => {
    const ones = new Float32Array(384).fill(1)
    const row = signRow(ones)
    expect(hamming(row, 0, row)).toBe(0)
    expect(hamming(signRow(ones.map(() => -1)), 0, row)).toBe(384)
  })

  it.each([5, 64, 384, 1000])('weigh a row by the numbers of the query in %i dimensions', (dimensions) => {
    const [query, row] = vectors(2, dimensions, 5) as [Float32Array, Float32Array]
    const expected = query.reduce((sum, value, i) => sum + ((row[i] as number) > 0 ? value : 0), 0)
    expect(weigh(signBits(row), 0, signWeights(query))).toBeCloseTo(expected, 4)
  })
})

describe('a shortlist', () => {
  it('holds the rows of the smallest distances, whatever their order', () => {
    const rand = random(3)
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, distance: Math.floor(rand() ** 0.3 * 384) }))
    for (const order of [rows, rows.toSorted((a, b) => b.distance - a.distance), rows.toSorted((a, b) => a.distance - b.distance)]) {
      const list = shortlist(100, 384)
      for (const { id, distance } of order) list.offer(id, distance)
      const ids = new Set(list.ids())
      const last = rows.map(({ distance }) => distance).toSorted((a, b) => a - b)[99] as number
      expect(rows.filter(({ id, distance }) => distance < last && !ids.has(id))).toEqual([])
      expect(rows.filter(({ id, distance }) => distance > last && ids.has(id))).toEqual([])
      expect(ids.size).toBeGreaterThanOrEqual(100)
      expect(ids.size).toBeLessThan(200)
    }
  })

  it('does not grow with rows that are all alike', () => {
    const list = shortlist(10, 384)
    for (let id = 0; id < 100_000; id++) list.offer(id, 7)
    expect(list.ids()).toHaveLength(10)
  })

  it('gives all when fewer were offered than wanted', () => {
    const list = shortlist(10, 8)
    list.offer(4, 8)
    list.offer(9, 0)
    expect(list.ids()).toEqual([4, 9])
  })
})

describe('bits in memory', () => {
  const fill = (count: number, step = 1) => {
    const memory = new SignBitsMemory(96)
    const all = vectors(count, 96, 9)
    for (const [i, vector] of all.entries()) {
      memory.put(1 + i * step, {
        bits: signBits(vector),
        number: 100 + i,
        agentId: i % 3 === 0 ? 'other' : 'main',
        superseded: i % 5 === 0,
      })
    }
    return { memory, all }
  }

  it('find the nearest of a scope, among all and among some', async () => {
    const { memory, all } = fill(5000)
    const query = all[7] as Float32Array
    expect(await closest(memory, query, { scope: { agentId: 'main' }, most: 1, pause })).toEqual([8])
    expect(await closest(memory, query, { scope: { agentId: 'nobody' }, most: 1, pause })).toEqual([])
    expect(await closest(memory, query, { scope: {}, most: 1, pause, among: [3, 8, 9, 999_999] })).toEqual([8])
    const whole = await closest(memory, query, { scope: {}, most: 5000, pause })
    expect(whole).toHaveLength(4000)
    expect(await closest(memory, query, { scope: { branches: true, agentId: 'other' }, most: 5000, pause })).toHaveLength(1667)
    expect(passing(memory, [1, 2, 3, 4, 5000, 5001], {})).toEqual([2, 3, 4, 5000])
  })

  it('sift keeps those that agree best', () => {
    const { memory, all } = fill(300)
    const query = all[20] as Float32Array
    const kept = sift(memory, query, { ids: Array.from({ length: 300 }, (_, i) => i + 1), most: 30 })
    expect(kept).toHaveLength(30)
    expect(kept).toContain(21)
  })

  it('forget what is removed, and give its memory back', async () => {
    const { memory } = fill(SEGMENT * 2)
    const full = memory.size()
    for (let id = 1; id < SEGMENT; id++) memory.remove(id)
    memory.remove(77)
    expect(memory.count()).toBe(SEGMENT + 1)
    expect(memory.numberOf(5)).toBe(0)
    expect(memory.size()).toBeLessThan(full)
  })

  it('take ids that are far apart without paying for what is between', () => {
    const { memory } = fill(3, 1_000_000_000)
    expect(memory.count()).toBe(3)
    expect(memory.numberOf(2_000_000_001)).toBe(102)
    expect(memory.size()).toBeLessThan(1_000_000)
  })
})
