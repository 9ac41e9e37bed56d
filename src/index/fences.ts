/** A cut inside a code fence closes and reopens it. */

export interface Fence {
  readonly start: number
  readonly end: number
  readonly bodyStart: number
  readonly bodyEnd: number
  /** Fence lines for a part. */
  readonly opening: string
  readonly closing: string
}

const FENCE_LINE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\n`]*)$/gm
const LONGEST_LANGUAGE = 20

/** An unclosed one extends to the end. */
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

export function fenceAt(fences: readonly Fence[], index: number): Fence | undefined {
  return fences.find((fence) => index >= fence.bodyStart && index <= fence.bodyEnd && index < fence.end)
}
