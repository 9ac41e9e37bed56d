/** Fits text into a sentence of ours: few words, no sentence end inside, nothing that closes the quotation. */
import { endsWithAbbreviation, plainLine } from '../plain-line.ts'

const LONGEST = 200
/** A single bracket marks a redacted secret; two would form a link. */
const LINKS = /\[(?=\[)|\](?=\])/g
/** Standalone tokens to keep: `!=`, `→`, `[ ]`, `&&`, `--`. Not bullets or pictures. */
const OPERATOR = /^--$|[\p{Sm}[\](){}*/%&^\\@$]/u

/** Marks a removed sentence end: the next word may need lower case. */
const JOINT = '\u0001'
const BEGINS =
  /\u0001(['’)\]}>]*\s+)(The|An?|It|This|That|These|Those|There|We|You|They|Each|All|Both|If|When|While|But|And|So|Then|Also|In|On|For|With)(?=\s)/g
const CUT = /\S…["'”’)\]]*\s*$/

/** Does not escape for Markdown. */
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
  // Text that was cut before keeps its ellipsis.
  return end !== -1 || line.endsWith('…') || CUT.test(text) ? `${bare}…` : bare
}

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
