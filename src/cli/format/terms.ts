/** Where the words of a question stand in a text: marked on a terminal, counted where a part of the text is chosen. */
import type { Style } from './style.ts'

const MOST_TERMS = 50

/** Matches every word that begins with one of the terms; undefined without any. */
export function termPattern(terms: readonly string[]): RegExp | undefined {
  const usable = terms.filter((term) => term.trim().length > 1).slice(0, MOST_TERMS)
  if (usable.length === 0) return undefined
  const escaped = usable.sort((a, b) => b.length - a.length).map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})[\\p{L}\\p{N}]*`, 'giu')
}

/** Marks every word that holds one of the terms. */
export function highlight(text: string, terms: readonly string[], paint: Style['bold']): string {
  const pattern = termPattern(terms)
  return pattern === undefined ? text : text.replace(pattern, (match) => paint(match))
}
