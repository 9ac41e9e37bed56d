/**
 * Texts for what is derived. A secret is blanked in place, so that spans stay those of the text as it was said; what is cut out of a text is
 * redacted by the whole of it, since the words that tell a secret may stand outside of the part. Pure.
 */
import { redact } from './redact.ts'
import { remembered } from './remembered.ts'

/** In UTF-16 units: the analyses of some hundred turns read the same texts one after the other. */
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

/** A part of a text, each secret in it replaced as a redaction does; one that is cut by an end of the part is replaced, too. */
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
