/**
 * Collects garbage after much heap growth. Left alone, V8 lets the heap grow to several times its live size, so a long sync wastes memory.
 * One collection takes tens of milliseconds.
 */

/** Short commands never reach it. */
const GROWN_BYTES = 64 << 20

let collect: (() => void) | undefined
let next = GROWN_BYTES

export function collectGarbage(): void {
  // Not imported: most commands need neither.
  const { getHeapStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  if (getHeapStatistics().used_heap_size < next) return
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
  }
  collect()
  // With much alive, another collection soon would free nothing.
  next = Math.max(GROWN_BYTES, getHeapStatistics().used_heap_size * 2)
}
