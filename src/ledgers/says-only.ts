/** Whether a copied prompt says nothing but what its origin says. Pure. */
import { escapeMarks } from '../core/marked-text.ts'
import { printable } from '../core/text.ts'

/** What a copy has in the place of what was left out, or was secret. */
const GAP = /\[…\]|\[REDACTED:[a-z0-9-]{1,40}\]/

/**
 * A marker is only a field of a log, which an agent may write and a person's edit may leave: what somebody asked may be dropped as a copy only where
 * it is stored already, word for word, but for gaps that say so. White space may differ.
 */
export function saysOnly(copy: string, origin: string): boolean {
  const whole = dense(escapeMarks(printable(origin)))
  const [first = '', ...parts] = copy.split(GAP).map(dense)
  const last = parts.pop()
  if (last === undefined) return first === whole
  if (!whole.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = whole.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return whole.length - last.length >= at && whole.endsWith(last)
}

function dense(text: string): string {
  return text.replace(/\s+/g, '')
}
