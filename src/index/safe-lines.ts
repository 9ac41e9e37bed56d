/** Redacts lines by context: a line alone may not reveal that it is part of a key. Pure. */
import { redactVisible } from '../core/redact.ts'

/** Covers the longest key block. */
const BEFORE = 70_000
const BEHIND = 20_000
/** Most characters between a name and its value. */
const NAME = 200

/** Starts at a word boundary: a secret's start identifies it. Short texts whole. */
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

/** Drops lines that only their context reveals as secret. */
export function safeLines(text: string, lines: readonly string[]): string[] {
  const around = safeAround(text)
  let safe = ''
  return lines.flatMap((line) => {
    if (safe.includes(line)) return line
    // Colours may change the line, so `indexOf` may fail.
    safe = around(Math.max(0, text.indexOf(line)))
    if (safe.includes(line)) return line
    const alone = redactVisible(line)
    return alone === line ? [] : alone
  })
}
