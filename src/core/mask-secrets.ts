/**
 * Blanks secrets in place, so that spans stay valid. Parts are redacted with the whole text: the words that reveal a secret may be outside
 * the part.
 */
import { redact } from './redact.ts'
import { remembered } from './remembered.ts'

/** UTF-16 units: analyses read the same hundred turns in a row. */
const MOST_REMEMBERED = 2_000_000

export const maskSecrets = remembered(masked, MOST_REMEMBERED)

function masked(text: string): string {
  const { spans } = redact(text)
  let blanked = ''
  let at = 0
  for (const { start, end } of spans) {
    blanked += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, '_')
    at = end
  }
  return at === 0 ? text : blanked + text.slice(at)
}

/** Also replaces a secret that the cut splits. */
export function redactedPart(text: string, start: number, end: number): string {
  let part = ''
  let at = start
  for (const span of redact(text).spans) {
    if (span.end <= start || span.start >= end) continue
    part += `${text.slice(at, Math.max(at, span.start))}[REDACTED:${span.kind}]`
    at = Math.min(end, span.end)
  }
  return part + text.slice(at, end)
}
