import { given } from '../../core/given.ts'
import { asksForIt } from '../../search/asks-for-it.ts'
import { asksForThePast } from '../../search/asks-for-the-past.ts'
import type { SearchResult, SupersededBy } from '../../search/result.ts'
import type { Store } from '../../store/store.ts'
import type { Candidate } from './piece.ts'

interface Left {
  citation: string
  why: string
}

interface Asked {
  readonly prompt: string
  readonly pieceOf: (hit: SearchResult) => Candidate
  readonly left: Left[]
}

/** Drops an outdated hit if the prompt is about that decision and not about the past; otherwise marks it. */
export async function whatHolds(store: Store, hits: readonly SearchResult[], { prompt, pieceOf, left }: Asked): Promise<Candidate[]> {
  const marked = hits.filter(({ superseded_by }) => superseded_by !== undefined)
  if (marked.length === 0) return hits.map(pieceOf)
  const replaced = await store.rows.replaced(marked.flatMap(({ turn_id, message_ids }) => (turn_id === '' ? message_ids : [turn_id])))
  const keepsOld = asksForThePast([prompt])
  const mark = ({ decided_at, cite, id, text }: SupersededBy) => `replaced ${decided_at.slice(0, 10)} by ${cite ?? id}: ${text}`
  // Other parts of the turn may mention its decision.
  const marks = new Map(marked.flatMap(({ turn_id, superseded_by: by }) => (by && turn_id !== '' ? [[turn_id, mark(by)]] : [])))
  return hits.map((hit) => {
    const piece = pieceOf(hit)
    const by = hit.superseded_by
    if (by === undefined) return { ...piece, ...given({ replaced: marks.get(hit.turn_id) }) }
    const decided = replaced.find(({ turn_id, message }) =>
      turn_id === null
        ? hit.message_ids.includes(message)
        : turn_id === hit.turn_id && hit.message_ids.some((id) => message.endsWith(`/${id}`)),
    )
    const isAbout = decided !== undefined && asksForIt(decided, { matched: hit.matched, length: hit.content.length })
    if (keepsOld || !isAbout) return { ...piece, replaced: mark(by) }
    left.push({ citation: hit.id, why: `replaced by ${by.cite ?? by.id}` })
    return {
      ...piece,
      ...{ citation: by.cite ?? by.id, kind: 'decision' as const, date: by.decided_at.slice(0, 10), title: null },
      ...{ parts: [{ label: '', text: by.text }], isShort: true, why: `holds instead of what ${hit.id} says` },
      key: { kind: 'decision' as const, id: by.event_id, part: '' },
    }
  })
}
