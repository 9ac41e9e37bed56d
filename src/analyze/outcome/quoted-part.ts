/** Said text as part of a sentence of ours: no more than so many words, no end of a sentence inside, and nothing that closes its quotation. Pure. */
import { endsWithAbbreviation, plainLine } from '../plain-line.ts'

const LONGEST = 200
/** Marks of redaction stand for a secret; of other brackets two at once would be a link. */
const LINKS = /\[(?=\[)|\](?=\])/g
/** Between words: `!=`, `→`, `[ ]`, `&&`, `--`; no bullet or picture. */
const OPERATOR = /^--$|[\p{Sm}[\](){}*/%&^\\@$]/u

/** Where a sentence ended: the next begins in the middle of ours. */
const JOINT = '\u0001'
const BEGINS =
  /\u0001(['’)\]}>]*\s+)(The|An?|It|This|That|These|Those|There|We|You|They|Each|All|Both|If|When|While|But|And|So|Then|Also|In|On|For|With)(?=\s)/g
const CUT = /\S…["'”’)\]]*\s*$/

/** Keeps the signs that a statement needs. Whoever writes it into markdown escapes it. */
export function quotedPart(text: string, most: number): string {
  const flat = text
    .replaceAll(JOINT, '')
    .replace(/[“”"]/g, "'")
    .replaceAll('`', ' ')
    .replace(LINKS, '$& ')
    .replace(/[.!?。！？…]+(?=['’)\]}>]*(?:\s|$))/g, (end, at: number, all: string) => (isAbbreviated(end, at, all) ? end : `,${JOINT}`))
    .replace(BEGINS, (_, gap: string, word: string) => `${gap}${word.toLowerCase()}`)
    .replaceAll(JOINT, '')
    .replace(/(?<=[\p{L})'’])\s+[—–]\s+(?=\P{N})/gu, ', ')
    .replace(/[。！？]+/g, ',')
    .split(/\s+/)
    .filter((token, i, all) => isWord(token) || OPERATOR.test(token) || isMinus(all, i))
  let words = 0
  const end = flat.findIndex((token) => isWord(token) && ++words > most)
  const line = plainLine((end === -1 ? flat : flat.slice(0, end)).join(' '), LONGEST)
  const bare = line.replace(/[\s,;:…|\\–—-]+$/, '').replace(/^[\s,;:)\]|–—-]+/, '')
  if (!isWord(bare)) return ''
  // What was cut before says so still, once all of it is quoted.
  return end !== -1 || line.endsWith('…') || CUT.test(text) ? `${bare}…` : bare
}

/** `m - 1`, `n = a - b`, `9:00 – 17:00`: not the bullet of a list, or a dash in a sentence. */
function isMinus(tokens: readonly string[], i: number): boolean {
  if (!/^[-–]$/.test(tokens[i] ?? '')) return false
  const [before = '', next = ''] = [tokens[i - 1], tokens[i + 1]]
  if (before === '' || next === '') return false
  return /\d$/.test(before) || /^\d/.test(next) || OPERATOR.test(tokens[i - 2] ?? '') || OPERATOR.test(tokens[i + 2] ?? '')
}

function isAbbreviated(end: string, at: number, all: string): boolean {
  return end === '.' && at + 1 < all.length && endsWithAbbreviation(all.slice(0, at + 1))
}

const isWord = (token: string): boolean => /[\p{L}\p{N}]/u.test(token)
