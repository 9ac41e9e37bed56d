import type { Style } from './style.ts'

const MOST_TERMS = 50

export interface FoundTerm {
  readonly at: number
  readonly word: string
}

const LETTER_BEFORE = /[\p{L}\p{N}]$/u
const REST_OF_WORD = /[\p{L}\p{N}]*/uy

/** Finds words that begin with a term. Letter classes are in shared patterns: compiling them per hit would take longer than the match. */
export function termsIn(text: string, terms: readonly string[]): FoundTerm[] {
  const usable = terms.filter((term) => term.trim().length > 1).slice(0, MOST_TERMS)
  if (usable.length === 0) return []
  const escaped = usable.sort((a, b) => b.length - a.length).map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const pattern = new RegExp(escaped.join('|'), 'giu')
  const found: FoundTerm[] = []
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const at = match.index
    if (LETTER_BEFORE.test(text.slice(Math.max(0, at - 2), at))) pattern.lastIndex = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    else {
      REST_OF_WORD.lastIndex = pattern.lastIndex
      const rest = REST_OF_WORD.exec(text)?.[0] ?? ''
      found.push({ at, word: match[0] + rest })
      pattern.lastIndex += rest.length
    }
  }
  return found
}

export function highlight(text: string, terms: readonly string[], paint: Style['bold']): string {
  let marked = ''
  let from = 0
  for (const { at, word } of termsIn(text, terms)) {
    marked += text.slice(from, at) + paint(word)
    from = at + word.length
  }
  return marked + text.slice(from)
}
