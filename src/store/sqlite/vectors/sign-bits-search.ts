/** Neither pass reads the database nor ranks the final hits. */

import type { Pause } from './pause.ts'
import { hamming, signRow, signWeights, weigh } from './sign-bits.ts'
import { type Scope, SEGMENT, type Segment, type SignBitsMemory, type Wanted } from './sign-bits-memory.ts'
import { type Shortlist, shortlist } from './sign-bits-shortlist.ts'

export interface Closest {
  readonly scope: Scope
  readonly most: number
  readonly among?: readonly number[] | undefined
  readonly pause: Pause
}

/** First pass: at least `most` and under twice as many chunks with the smallest Hamming distance, unordered. */
export async function closest(memory: SignBitsMemory, query: Float32Array, { scope, most, among, pause }: Closest): Promise<number[]> {
  const wanted = memory.wanted(scope)
  if (wanted === undefined) return []
  const row = signRow(query)
  const list = shortlist(most, memory.dimensions)
  if (among === undefined) {
    for (const segment of memory.segments()) {
      scan(segment, row, wanted, list)
      await pause()
    }
  } else {
    const find = finder(memory)
    for (let from = 0; from < among.length; from += SEGMENT) {
      for (const id of among.slice(from, from + SEGMENT)) {
        const segment = find(id)
        if (segment !== undefined && isWithin(segment, id, wanted))
          list.offer(id, hamming(segment.bits, (id - segment.first) * row.length, row))
      }
      await pause()
    }
  }
  return list.ids()
}

function scan({ first, bits, flags }: Segment, row: Int32Array, { mask, value }: Wanted, list: Shortlist): void {
  for (let i = 0, at = 0; i < SEGMENT; i++, at += row.length) {
    if (((flags[i] as number) & mask) !== value) continue
    const distance = hamming(bits, at, row)
    if (distance <= list.bound) list.offer(first + i, distance)
  }
}

export function passing(memory: SignBitsMemory, ids: readonly number[], scope: Scope): number[] {
  const wanted = memory.wanted(scope)
  if (wanted === undefined) return []
  const find = finder(memory)
  return ids.filter((id) => {
    const segment = find(id)
    return segment !== undefined && isWithin(segment, id, wanted)
  })
}

function isWithin({ first, flags }: Segment, id: number, { mask, value }: Wanted): boolean {
  return ((flags[id - first] as number) & mask) === value
}

/** Caches the segment: consecutive ids mostly share one, and the lookup would dominate. */
function finder(memory: SignBitsMemory): (id: number) => Segment | undefined {
  let last: Segment | undefined
  return (id) => {
    if (last === undefined || id < last.first || id >= last.first + SEGMENT) last = memory.segmentOf(id)
    return last
  }
}

/** Second pass: the `most` chunks whose signs correlate best with the query, unordered. */
export function sift(memory: SignBitsMemory, query: Float32Array, { ids, most }: { ids: readonly number[]; most: number }): number[] {
  if (ids.length <= most) return [...ids]
  const weighed = weights(memory, query, ids)
  const least = weighed.toSorted()[ids.length - most] as number
  return ids.filter((_, i) => (weighed[i] as number) >= least).slice(0, most)
}

export function ranked(memory: SignBitsMemory, query: Float32Array, ids: readonly number[]): number[] {
  const weighed = weights(memory, query, ids)
  const order = Uint32Array.from(ids.keys()).sort((a, b) => (weighed[b] as number) - (weighed[a] as number))
  return Array.from(order, (i) => ids[i] as number)
}

function weights(memory: SignBitsMemory, query: Float32Array, ids: readonly number[]): Float32Array {
  const table = signWeights(query)
  const width = memory.words * 4
  const find = finder(memory)
  const weighed = new Float32Array(ids.length).fill(Number.NEGATIVE_INFINITY)
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number
    const segment = find(id)
    if (segment !== undefined) weighed[i] = weigh(segment.bytes, (id - segment.first) * width, table)
  }
  return weighed
}
