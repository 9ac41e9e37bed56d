/** Groups sequences into runs of the model: all of one length, because a run has no padding, and few enough to stay in the processor's cache. */

/** More tokens a run make it no faster: measured from 128 to 1024. */
const TOKENS_PER_RUN = 256

/** The indexes of the sequences, run by run, longest first. */
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
