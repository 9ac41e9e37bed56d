/** Turns of sessions, to be indexed: what was asked and answered, one document each. */
import { turnPath } from '../core/ids.ts'
import { type DocumentRow, type DocumentSession, type DocumentTurn, type IndexDocument, spokenDocument } from './document.ts'
import type { Indexable } from './indexable.ts'
import { sessionFeed } from './session-feed.ts'
import { spokenBuilder, type TurnItem } from './spoken-rows.ts'

export const turns: Indexable = {
  kinds: ['turn'],
  feed: sessionFeed,
  builder: (db, items) => spokenBuilder(db, items as readonly TurnItem[], turnDocument),
}

export function turnDocument(session: DocumentSession, turn: DocumentTurn, rows: readonly DocumentRow[]): IndexDocument {
  return spokenDocument(session, turn, rows, { kind: 'turn', path: turnPath(session.label, turn.id) })
}
