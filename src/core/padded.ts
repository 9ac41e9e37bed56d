/** Repeats the last value up to a power of two, so that lists of any length share few SQL statements. */
export function padded<T>(values: readonly T[]): T[] {
  const last = values.at(-1)
  if (last === undefined) return []
  const more = 2 ** Math.ceil(Math.log2(values.length)) - values.length
  return [...values, ...new Array<T>(more).fill(last)]
}
