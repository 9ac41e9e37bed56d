/** Citations: `path#L3-L9`, a document and the lines meant, or a wikilink pasted whole: `[[path|label]]`. `memory_get` and `show` take them back. */

export interface Cited {
  readonly path: string
  /** First and last line, from 1, both meant. */
  readonly from?: number
  readonly to?: number
}

export function citation(path: string, from: number, to: number): string {
  return from === to ? `${path}#L${from}` : `${path}#L${from}-L${to}`
}

/** A path without lines is a citation of the whole. */
export function parseCitation(text: string): Cited {
  const [, path = '', first, last] = /^(.*)#L(\d{1,9})(?:-L?(\d{1,9}))?$/s.exec(text) ?? []
  if (first === undefined) return { path: linkedPath(text) ?? text }
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
