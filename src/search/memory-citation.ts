/** Citations: `path#L3-L9`, or a pasted wikilink: `[[path|label]]`, `[[path#Heading]]`. `memory_get` and `show` take both. */
import { bareWords } from '../core/text.ts'

export interface Cited {
  readonly path: string
  /** From 1, inclusive. */
  readonly from?: number
  readonly to?: number
  readonly heading?: string
}

export function citation(path: string, from: number, to: number): string {
  return from === to ? `${path}#L${from}` : `${path}#L${from}-L${to}`
}

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

/** Undefined if it is no wikilink. Wikilinks percent-encode hostile characters of a path. */
function linkedPath(text: string): string | undefined {
  const target = /^\[\[([^[\]|\n]+)(?:\|[^[\]\n]*)?\]\]$/.exec(text)?.[1]
  try {
    return target && decodeURIComponent(target)
  } catch {
    return target // a literal %: the path stays as it is
  }
}

/** Lines of a section, from 1: up to the next heading of its level or above. Undefined without that heading. */
export function linesUnder(text: string, heading: string): { from: number; to: number } | undefined {
  // Links omit markup, and may write a heading as an anchor.
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
