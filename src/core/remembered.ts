/** Cache for a pure function of a text, bounded by total length. Callers must not mutate results. */
export function remembered<T>(read: (text: string) => T, most = MOST_UNITS): (text: string) => T {
  const kept = new Map<string, T>()
  let units = 0
  return (text) => {
    // A slice of a long text would keep all of it alive.
    if (text.length > Math.min(LONGEST, most)) return read(text)
    const known = kept.get(text)
    if (known !== undefined || kept.has(text)) return known as T
    const made = read(text)
    units += text.length
    for (const [oldest] of kept) {
      if (units <= most) break
      units -= oldest.length
      kept.delete(oldest)
    }
    kept.set(text, made)
    return made
  }
}

/** UTF-16 units: the texts of some hundred turns. */
const MOST_UNITS = 1_000_000
const LONGEST = 16_000
