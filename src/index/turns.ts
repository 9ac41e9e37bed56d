import { turnPath } from '../core/ids.ts'
import { answeredBy } from './answered.ts'
import { type DocumentRow, type DocumentSession, type DocumentTurn, type IndexDocument, spokenDocument } from './document.ts'
import type { Indexable } from './indexable.ts'
import { sessionFeed } from './session-feed.ts'
import { spokenBuilder, type TurnItem } from './spoken-rows.ts'

export const turns: Indexable = {
  kinds: ['turn'],
  feed: sessionFeed,
  async builder(db, items) {
    const answers = await answeredBy(
      db,
      items.map(({ id }) => id),
    )
    return spokenBuilder(db, items as readonly TurnItem[], turnDocument, answers)
  },
}

export function turnDocument(session: DocumentSession, turn: DocumentTurn, rows: readonly DocumentRow[]): IndexDocument {
  return spokenDocument(session, turn, rows, { kind: 'turn', path: turnPath(session.label, turn.id) })
}
