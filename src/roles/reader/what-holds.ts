/** Puts what holds in the place of what was decided before and holds no longer. Pure. */
import { askedTerms, termsOf } from '../../analyze/history/terms.ts'
import type { SearchResult } from '../../search/result.ts'
import type { Candidate } from './piece.ts'

interface Left {
  citation: string
  why: string
}

/** A hit that says what was replaced gives way where the prompt is about just that; else it says so itself. */
export function whatHolds(
  hits: readonly SearchResult[],
  prompt: string,
  pieceOf: (hit: SearchResult) => Candidate,
  left: Left[],
): Candidate[] {
  const asked = new Set(askedTerms(prompt))
  return hits.map((hit) => {
    const piece = pieceOf(hit)
    const by = hit.superseded_by
    if (by === undefined) return piece
    const { names, words } = termsOf(by.text)
    const isAbout = [...names, ...words].some((term) => asked.has(term))
    if (!isAbout) return { ...piece, parts: [...piece.parts, { label: '', text: `[replaced ${by.decided_at.slice(0, 10)}: ${by.text}]` }] }
    left.push({ citation: hit.id, why: `replaced by ${by.cite ?? by.id}` })
    return {
      ...piece,
      ...{ citation: by.cite ?? by.id, kind: 'decision' as const, date: by.decided_at.slice(0, 10), title: null },
      ...{ parts: [{ label: '', text: by.text }], isShort: true, why: `holds instead of what ${hit.id} says` },
      key: { kind: 'decision' as const, id: by.event_id, part: '' },
    }
  })
}
