/** One turn as it is indexed, built from the ledger alone: for whoever reads a document without indexing. */
import type { Store } from '../store/store.ts'
import { type IndexDocument, turnDocument } from './document.ts'
import { messagesOfTurns, sessionToIndex, withLongTexts } from './session-rows.ts'

/** The exact text that the index was made of; undefined without such a turn. */
export async function documentOfTurn(store: Store, turnId: string): Promise<IndexDocument | undefined> {
  const turn = await store.read.selectFrom('agent_turns').selectAll().where('id', '=', turnId).executeTakeFirst()
  const session = turn && (await sessionToIndex(store.read, turn.session_id))
  if (turn === undefined || session === undefined) return undefined
  const rows = (await messagesOfTurns(store.read, [turnId])).get(turnId) ?? []
  return turnDocument(session, turn, await withLongTexts(store.read, rows))
}
