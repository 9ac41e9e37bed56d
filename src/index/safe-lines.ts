/** Lines out of a longer text, redacted by what stands around them: a line alone does not tell that it is a part of a key, or whose password it is. Pure. */
import { redactVisible } from '../core/redact.ts'

/** The longest block of key material, and the lines around it. */
const BEFORE = 70_000
const BEHIND = 20_000
/** As far before a value its name may stand. */
const NAME = 200

/** Gives the text around a place, redacted; all of it where it is short. It begins before a whole word, however long: its beginning, and what stands before it, tell what it is. */
export function safeAround(text: string): (at: number) => string {
  let whole: string | undefined
  return (at) => {
    if (text.length <= BEFORE + BEHIND) {
      whole ??= redactVisible(text)
      return whole
    }
    let from = Math.max(0, at - BEFORE)
    while (from > 0 && text.charCodeAt(from - 1) > 0x20) from--
    return redactVisible(text.slice(Math.max(0, from - NAME), at + BEHIND))
  }
}

/** Those of the lines that hold no secret, and the others without it; one that only its neighbours give away is left out. */
export function safeLines(text: string, lines: readonly string[]): string[] {
  const around = safeAround(text)
  let safe = ''
  return lines.flatMap((line) => {
    if (safe.includes(line)) return line
    // With colours it stands there in another form; a short text is looked through as a whole.
    safe = around(Math.max(0, text.indexOf(line)))
    if (safe.includes(line)) return line
    const alone = redactVisible(line)
    return alone === line ? [] : alone
  })
}
