/**
 * Collects garbage when the heap has grown by much. V8 lets it grow to several times of what is alive before it does so by itself: a long
 * sync then takes memory by what it has read, not by what it holds. To collect what a sync holds takes some tens of milliseconds.
 */

/** Of the whole heap; short commands never reach it. */
const GROWN_BYTES = 64 << 20

let collect: (() => void) | undefined
let next = GROWN_BYTES

export function collectGarbage(): void {
  // Not imported: who opens a database only to read needs neither.
  const { getHeapStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  if (getHeapStatistics().used_heap_size < next) return
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
  }
  collect()
  // Where much is alive, another one at once would free nothing.
  next = Math.max(GROWN_BYTES, getHeapStatistics().used_heap_size * 2)
}
