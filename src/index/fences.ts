/** Finds the fenced code blocks of a text, so that a cut inside one can be closed and opened again. */

export interface Fence {
  /** From its opening line to the end of its closing one. */
  readonly start: number
  readonly end: number
  readonly bodyStart: number
  readonly bodyEnd: number
  /** The lines that open and close a part of it. */
  readonly opening: string
  readonly closing: string
}

const FENCE_LINE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\n`]*)$/gm
const LONGEST_LANGUAGE = 20

/** The blocks in order. One that never closes goes to the end of the text. */
export function fencesOf(text: string): Fence[] {
  if (!text.includes('```') && !text.includes('~~~')) return []
  const fences: Fence[] = []
  let open: { start: number; bodyStart: number; marker: string; language: string } | undefined
  for (const match of text.matchAll(FENCE_LINE)) {
    const [line, marker = '', info = ''] = match
    const after = Math.min(match.index + line.length + 1, text.length)
    if (open === undefined) {
      const language = info.trim().split(/\s/)[0]?.slice(0, LONGEST_LANGUAGE) ?? ''
      open = { start: match.index, bodyStart: after, marker, language }
    } else if (marker.startsWith(open.marker) && info.trim() === '') {
      fences.push(fence(open, match.index, after))
      open = undefined
    }
  }
  if (open) fences.push(fence(open, text.length, text.length))
  return fences
}

function fence(open: { start: number; bodyStart: number; marker: string; language: string }, bodyEnd: number, end: number): Fence {
  const { start, bodyStart, marker, language } = open
  return { start, end, bodyStart, bodyEnd, opening: `${marker}${language}`, closing: marker }
}

/** The block that a cut at `index` goes through, if any. */
export function fenceAt(fences: readonly Fence[], index: number): Fence | undefined {
  return fences.find((fence) => index >= fence.bodyStart && index <= fence.bodyEnd && index < fence.end)
}
