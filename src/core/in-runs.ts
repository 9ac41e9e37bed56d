/** Splits into adjacent groups of at most `most` weight. A heavier value is alone. */
export function inRuns<T>(values: readonly T[], weigh: (value: T) => number, most: number): T[][] {
  const runs: T[][] = []
  let room = 0
  for (const value of values) {
    const weight = weigh(value)
    const run = runs.at(-1)
    if (run === undefined || weight > room) {
      runs.push([value])
      room = most - weight
    } else {
      run.push(value)
      room -= weight
    }
  }
  return runs
}
