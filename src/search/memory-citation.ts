/**
 * Citations: `path#L3-L9`, a document and the lines meant, or a wikilink pasted whole: `[[path|label]]`, `[[path#Heading]]`. `memory_get` and `show`
 * take them back.
 */
import { bareWords } from '../core/text.ts'

export interface Cited {
  readonly path: string
  /** First and last line, from 1, both meant. */
  readonly from?: number
  readonly to?: number
  /** The heading that a wikilink leads to. */
  readonly heading?: string
}

export function citation(path: string, from: number, to: number): string {
  return from === to ? `${path}#L${from}` : `${path}#L${from}-L${to}`
}

/** A path without lines is a citation of the whole. */
export function parseCitation(text: string): Cited {
  const [, path = '', first, last] = /^(.*)#L(\d{1,9})(?:-L?(\d{1,9}))?$/s.exec(text) ?? []
  if (first === undefined) {
    const linked = linkedPath(text)
    const [, of, heading] = /^(.*\.md)#([^#]+(?:#[^#]+)*)$/is.exec(linked ?? '') ?? []
    return of !== undefined && heading !== undefined ? { path: of, heading } : { path: linked ?? text }
  }
  const from = Math.max(1, Number(first))
  return { path, from, to: Math.max(from, Number(last ?? first)) }
}

/** Undefined for what is no wikilink. Hostile characters of a path are percent-encoded in one. */
function linkedPath(text: string): string | undefined {
  const target = /^\[\[([^[\]|\n]+)(?:\|[^[\]\n]*)?\]\]$/.exec(text)?.[1]
  try {
    return target && decodeURIComponent(target)
  } catch {
    return target // a % of its own: the path is then taken as it stands
  }
}

/** First and last line of the part under a heading, from 1: to the next one of its rank or above. Undefined where the document has no such heading. */
export function linesUnder(text: string, heading: string): { from: number; to: number } | undefined {
  // Links leave out the signs that draw, and may write a heading as an anchor.
  const sought = bareWords(heading.split('#').at(-1) ?? '')
  const lines = text.split('\n')
  let [fenced, from, rank] = [false, 0, 0]
  for (const [i, line] of lines.entries()) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced
    const [, hashes = '', title = ''] = (fenced ? null : /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line)) ?? []
    if (hashes === '') continue
    if (from === 0 && bareWords(title) === sought) [from, rank] = [i + 1, hashes.length]
    else if (from > 0 && hashes.length <= rank) return { from, to: i }
  }
  return from === 0 ? undefined : { from, to: lines.length }
}
