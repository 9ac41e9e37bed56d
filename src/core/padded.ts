/** The same values with the last repeated, up to a power of two: a list of any length in a query would be a statement of its own. */
export function padded<T>(values: readonly T[]): T[] {
  const last = values.at(-1)
  if (last === undefined) return []
  const more = 2 ** Math.ceil(Math.log2(values.length)) - values.length
  return [...values, ...new Array<T>(more).fill(last)]
}
