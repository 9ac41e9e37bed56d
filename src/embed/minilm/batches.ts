/** Larger runs are not faster: measured from 128 to 1024. */
const TOKENS_PER_RUN = 256

/** Longest first. Sequences of a run have equal length, because there is no padding, and fit the CPU cache. */
export function batches(lengths: readonly number[]): number[][] {
  const byLength = new Map<number, number[]>()
  for (const [index, length] of lengths.entries()) {
    const same = byLength.get(length)
    if (same) same.push(index)
    else byLength.set(length, [index])
  }
  const runs: number[][] = []
  for (const [length, indexes] of [...byLength].sort(([a], [b]) => b - a)) {
    const size = Math.max(1, Math.floor(TOKENS_PER_RUN / Math.max(1, length)))
    for (let at = 0; at < indexes.length; at += size) runs.push(indexes.slice(at, at + size))
  }
  return runs
}

/** About 500 tokens: 40 ms of one thread. */
const CHARACTERS_PER_TASK = 2_000

/** Longest first, which balances the workers. Tasks are short, so that urgent ones wait briefly. */
export function tasksOf(texts: readonly string[]): number[][] {
  const order = texts.map((_, index) => index).sort((a, b) => lengthAt(texts, b) - lengthAt(texts, a))
  const tasks: number[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const index of order) {
    const length = lengthAt(texts, index) + 1
    if (size + length > CHARACTERS_PER_TASK) {
      tasks.push([])
      size = 0
    }
    tasks.at(-1)?.push(index)
    size += length
  }
  return tasks
}

function lengthAt(texts: readonly string[], index: number): number {
  return texts[index]?.length ?? 0
}
