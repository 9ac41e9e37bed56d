/** Pieces by which what goes can be recognised in a file. Kept in memory only, and few: a proof, not a copy. Pure. */
import type { Selection } from './selection.ts'

const SHORTEST = 24
const SHORTEST_TITLE = 8
const LONGEST = 120
const MOST_OF_A_TEXT = 32
const MOST = 2000
/** The calls of messages come last, and have some room of their own. */
const MOST_WITH_CALLS = 3000

/** From the whole text, not only its beginning: what is left of a record may be any part of it. */
export function addPieces(selection: Selection, text: string | null | undefined, most: number = MOST): void {
  if (!text || selection.pieces.size >= most) return
  const lines = text.split('\n').flatMap(cut)
  const step = Math.max(1, lines.length / MOST_OF_A_TEXT)
  for (let at = 0; at < lines.length; at += step) selection.pieces.add(lines[Math.floor(at)] as string)
}

/** Parameters and result of a call. */
export function addCall(selection: Selection, ...texts: readonly (string | null)[]): void {
  for (const text of texts) addPieces(selection, text, MOST_WITH_CALLS)
}

export function isEnough(selection: Selection): boolean {
  return selection.pieces.size >= MOST_WITH_CALLS
}

/** A title is short and says much. */
export function addTitle(selection: Selection, title: string | null | undefined): void {
  if (title && title.length >= SHORTEST_TITLE) selection.pieces.add(title)
}

function cut(line: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += LONGEST) {
    const piece = whole(line.slice(at, at + LONGEST)).trim()
    if (piece.length >= SHORTEST) pieces.push(piece)
  }
  return pieces
}

/** Without halves of characters at its ends: those are other bytes in the file. */
function whole(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
