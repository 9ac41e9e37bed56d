/** Said text as part of a sentence of ours: no more than so many words, no end of a sentence inside, and nothing that closes its quotation. Pure. */
import { plainLine } from '../plain-line.ts'

/** What could break a row or a link, but for the marks of redaction. */
const BREAKING = /\[REDACTED:[a-z0-9-]{1,40}\]|[|[\]`<>\\]/g
const LONGEST = 200

export function quotedPart(text: string, most: number): string {
  const flat = text
    .replace(/[“”"]/g, "'")
    .replace(BREAKING, (found) => (found.length > 1 ? found : ' '))
    .replace(/[.!?。！？…]+(?=['’)]*(?:\s|$))/g, ',')
    .replace(/[。！？]+/g, ',')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const line = plainLine(flat.slice(0, most).join(' '), LONGEST)
  const bare = line.replace(/[\s,;:…–—-]+$/, '').replace(/^[\s,;:)–—-]+/, '')
  return bare !== '' && (flat.length > most || line.endsWith('…')) ? `${bare}…` : bare
}
