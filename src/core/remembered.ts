/**
 * A pure reading of a text that several ask for one after the other: what was read last is not read again. What is kept is bounded by the length of
 * the texts. Whoever asks must not change what it gets.
 */
export function remembered<T>(read: (text: string) => T, most = MOST_UNITS): (text: string) => T {
  const kept = new Map<string, T>()
  let units = 0
  return (text) => {
    // The beginning of a long text keeps all of it in memory.
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

/** Of one reading, in UTF-16 units: the texts of some hundred turns. */
const MOST_UNITS = 1_000_000
const LONGEST = 16_000
