/** The part of a hit that answers: cut around what matched, matches marked. */
import type { Style } from './style.ts'

/** At most about `max` characters, chosen where most of `terms` are, cut at spaces, with … where something is left out. */
export function excerpt(text: string, terms: readonly string[], max: number): string {
  const tidy = text
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n+/g, '\n')
    .trim()
  if (tidy.length <= max) return tidy
  const start = bestStart(tidy, terms, max)
  const from = start === 0 ? 0 : nextGap(tidy, start)
  const to = from + max >= tidy.length ? tidy.length : lastGap(tidy, from, from + max)
  return `${from > 0 ? '… ' : ''}${tidy.slice(from, to).trim()}${to < tidy.length ? ' …' : ''}`
}

/** Marks every word that holds one of the terms. */
export function highlight(text: string, terms: readonly string[], paint: Style['bold']): string {
  const pattern = termPattern(terms)
  return pattern === undefined ? text : text.replace(pattern, (match) => paint(match))
}

/** Where a window of `max` characters holds the most different terms; a little before the first of them. */
function bestStart(text: string, terms: readonly string[], max: number): number {
  const pattern = termPattern(terms)
  if (pattern === undefined) return 0
  const hits = [...text.matchAll(pattern)].map((match) => ({ at: match.index, term: match[0].toLowerCase() }))
  const inside = new Map<string, number>()
  const add = (term: string, by: number) => {
    const count = (inside.get(term) ?? 0) + by
    if (count === 0) inside.delete(term)
    else inside.set(term, count)
  }
  let best = { start: 0, terms: 0 }
  let first = 0
  let next = 0
  for (const { at } of hits) {
    const start = Math.max(0, at - Math.floor(max / 4))
    for (let hit = hits[next]; hit !== undefined && hit.at < start + max; hit = hits[++next]) add(hit.term, 1)
    for (let hit = hits[first]; hit !== undefined && hit.at < start; hit = hits[++first]) add(hit.term, -1)
    if (inside.size > best.terms) best = { start, terms: inside.size }
  }
  return best.start
}

function termPattern(terms: readonly string[]): RegExp | undefined {
  const usable = terms.filter((term) => term.trim().length > 1).slice(0, 50)
  if (usable.length === 0) return undefined
  const escaped = usable.sort((a, b) => b.length - a.length).map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})[\\p{L}\\p{N}]*`, 'giu')
}

function nextGap(text: string, from: number): number {
  const gap = text.slice(from, from + 40).search(/\s/)
  return gap === -1 ? from : from + gap + 1
}

function lastGap(text: string, from: number, to: number): number {
  const tail = text.slice(Math.max(from, to - 40), to)
  const gap = Math.max(tail.lastIndexOf(' '), tail.lastIndexOf('\n'))
  return gap === -1 ? to : to - tail.length + gap
}
