/** Checks that a copied prompt adds nothing to its original. Pure. */
import { escapeMarks } from '../core/marked-text.ts'
import { printable } from '../core/text.ts'

/** Omissions and redactions in a copy. */
const GAP = /\[…\]|\[REDACTED:[a-z0-9-]{1,40}\]/

/** Markers are forgeable log fields. A prompt is dropped as a copy only if stored verbatim, except for marked gaps and white space. */
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
