import { compactionPath } from '../core/ids.ts'
import { type DocumentRow, type DocumentSession, type DocumentTurn, type IndexDocument, spokenDocument } from './document.ts'
import type { Indexable } from './indexable.ts'
import { sessionFeed } from './session-feed.ts'
import { spokenBuilder, type TurnItem } from './spoken-rows.ts'

export const compactions: Indexable = {
  kinds: ['compaction'],
  feed: sessionFeed,
  builder: (db, items) => spokenBuilder(db, items as readonly TurnItem[], compactionDocument),
}

export function compactionDocument(session: DocumentSession, turn: DocumentTurn, rows: readonly DocumentRow[]): IndexDocument {
  return spokenDocument(session, turn, rows, { kind: 'compaction', path: compactionPath(session.label, turn.id) })
}
