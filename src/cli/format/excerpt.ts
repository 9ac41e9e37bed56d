import { shorten, width, wrap } from './layout.ts'
import { termsIn } from './terms.ts'

export interface Room {
  readonly width: number
  readonly lines: number
  readonly free?: number
}

export function fitted(text: string, terms: readonly string[], { width: cells, lines, free = 0 }: Room): string[] {
  const start = bestStart(text, terms, cells * lines - free)
  const cut = start > 0 && !beginsSentence(text, start)
  const wrapped = wrap(`${cut ? '… ' : ''}${text.slice(start).trim()}`, cells, '', 'break').split('\n')
  const kept = wrapped.slice(0, lines)
  const last = kept.at(-1)
  if (last === undefined) return []
  const rest = wrapped.length > lines
  const room = kept.length < lines ? cells : cells - free
  if (!rest && width(last) <= room) return kept
  return [...kept.slice(0, -1), atWord(shorten(rest ? `${last} ${'x'.repeat(cells)}` : last, room))]
}

function atWord(cut: string): string {
  const space = cut.lastIndexOf(' ')
  return space > cut.length * 0.6 ? `${cut.slice(0, space).replace(/[\s,;:·–—…-]+$/, '')} …` : cut
}

/**
 * Start of the `max`-character window with the most different terms. Prefers the start of a sentence, else a little before the first term.
 */
function bestStart(text: string, terms: readonly string[], max: number): number {
  if (text.length <= max) return 0
  const found = termsIn(text, terms).map(({ at, word }) => ({ at, term: word.toLowerCase() }))
  if (found.length === 0) return 0
  const worth = (start: number) => new Set(found.filter(({ at }) => at >= start && at < start + max * 0.9).map(({ term }) => term)).size
  const best = (starts: readonly number[]) => {
    let first = { start: 0, worth: worth(0) }
    for (const start of starts) if (worth(start) > first.worth) first = { start, worth: worth(start) }
    return first
  }
  const sentences = best([...text.matchAll(SENTENCE)].map(({ index }) => index))
  const anywhere = best(found.map(({ at }) => wordStart(text, Math.max(0, at - Math.floor(max / 4)))))
  return anywhere.worth > sentences.worth ? anywhere.start : sentences.start
}

const SENTENCE = /(?<=[.!?]["')\]]?\s|\s[·…]\s)(?=\S)/g

function beginsSentence(text: string, start: number): boolean {
  return /(?:[.!?]["')\]]?\s|\s[·…]\s)$/.test(text.slice(Math.max(0, start - 4), start))
}

function wordStart(text: string, from: number): number {
  if (from === 0) return 0
  const gap = text.slice(from, from + 40).search(/\s/)
  return gap === -1 ? from : from + gap + 1
}
