/** The rows with the fewest differing bits, of any number that are offered, in memory that does not grow with them. */

export interface Shortlist {
  /** Only rows up to this distance are worth offering. */
  bound: number
  offer(chunkId: number, distance: number): void
  /** At least as many as wanted, where so many were offered; fewer than twice as many. In no order. */
  ids(): number[]
}

/** Distances are small whole numbers: counting how often each occurs says where to cut, and nothing is ever sorted. */
export function shortlist(wanted: number, dimensions: number): Shortlist {
  const counts = new Uint32Array(dimensions + 1)
  const ids = new Float64Array(wanted * 4)
  const distances = new Uint16Array(wanted * 4)
  let length = 0
  /** How many of those held are within the bound. */
  let within = 0

  const list: Shortlist = {
    bound: dimensions,
    offer(chunkId, distance) {
      if (distance > list.bound || (distance === list.bound && within >= wanted)) return
      if (length === ids.length) compact()
      ids[length] = chunkId
      distances[length] = distance
      length++
      counts[distance] = (counts[distance] as number) + 1
      within++
      while (list.bound > 0 && within - (counts[list.bound] as number) >= wanted) {
        within -= counts[list.bound] as number
        list.bound--
      }
    },
    ids() {
      compact()
      return Array.from(ids.subarray(0, length))
    },
  }

  function compact(): void {
    let kept = 0
    for (let i = 0; i < length; i++) {
      if ((distances[i] as number) > list.bound) continue
      ids[kept] = ids[i] as number
      distances[kept] = distances[i] as number
      kept++
    }
    length = kept
  }

  return list
}
