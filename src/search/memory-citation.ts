/** Citations: `path#L3-L9`, a document and the lines meant. `memory_get` and `show` take them back. */

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
  if (first === undefined) return { path: text }
  const from = Math.max(1, Number(first))
  return { path, from, to: Math.max(from, Number(last ?? first)) }
}
