export interface Shortlist {
  /** Offer only rows up to this distance. */
  bound: number
  offer(chunkId: number, distance: number): void
  /** Between `wanted` and twice as many (fewer if fewer were offered), unordered. */
  ids(): number[]
}

/** Distances are small integers, so a histogram gives the cutoff without sorting. */
export function shortlist(wanted: number, dimensions: number): Shortlist {
  const counts = new Uint32Array(dimensions + 1)
  const ids = new Float64Array(wanted * 4)
  const distances = new Uint16Array(wanted * 4)
  let length = 0
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
