/** Parts of identifiers and CJK pairs, which the full-text tokenizer misses. */
import { isCjk } from '../core/text.ts'

const JOINT = /[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g
const MAY_BE_CJK = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud82c\ud840-\ud888]/

const LONGEST_IDENTIFIER = 64
/** More parts mean a hash or encoding. */
const MOST_PARTS = 8
const MOST_IDENTIFIERS = 200

/** `getUserName` gives `get user name`, `数据库` gives `数据 据库`. Queries use it too. */
export function extraTerms(text: string): string {
  const terms = new Set<string>()
  addIdentifiers(text, terms)
  if (MAY_BE_CJK.test(text)) {
    addCjkPairs(text, terms)
    addGluedWords(text, terms)
  }
  return [...terms].join(' ')
}

function addIdentifiers(text: string, terms: Set<string>): void {
  JOINT.lastIndex = 0
  for (let match = JOINT.exec(text); match !== null && terms.size < MOST_IDENTIFIERS; match = JOINT.exec(text)) {
    let start = match.index
    let end = start + 1
    while (start > 0 && isAlphanumeric(text.charCodeAt(start - 1)) && end - start <= LONGEST_IDENTIFIER) start--
    while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++
    JOINT.lastIndex = end
    if (end - start <= LONGEST_IDENTIFIER) {
      const parts = identifierParts(text.slice(start, end))
      if (parts.length > 1) terms.add(parts.join(' '))
    }
  }
}

/** `HTTPServer2` gives `http`, `server`, `2`. */
function identifierParts(identifier: string): string[] {
  const parts = identifier.match(/[A-Z]+(?:s(?![a-z]))?(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []
  const readable = parts.some((part) => part.length > 1 && part.charCodeAt(0) > 57)
  return parts.length <= MOST_PARTS && readable ? parts.map((part) => part.toLowerCase()) : []
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** `使用Redis缓存` is one full-text token. */
function addGluedWords(text: string, terms: Set<string>): void {
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (run.length > 4 * LONGEST_IDENTIFIER || !MAY_BE_CJK.test(run)) continue
    for (const [word] of run.matchAll(/[A-Za-z0-9]{2,}/g)) if (word.length < run.length) terms.add(word.toLowerCase())
  }
}

function addCjkPairs(text: string, terms: Set<string>): void {
  let before = ''
  let alone = false
  for (const character of text) {
    const cjk = isCjk(character.codePointAt(0) as number)
    if (cjk && before !== '') terms.add(before + character)
    else if (!cjk && alone) terms.add(before)
    alone = cjk && before === ''
    before = cjk ? character : ''
  }
  if (alone) terms.add(before)
}
