import type { Store } from '../store/store.ts'
import { compactions } from './compactions.ts'
import type { IndexDocument } from './document.ts'
import { sessionToIndex } from './session-group.ts'
import type { TurnItem } from './spoken-rows.ts'
import { turns } from './turns.ts'

export async function documentOfTurn({ read }: Store, turnId: string): Promise<IndexDocument | undefined> {
  const turn = await read.selectFrom('agent_turns').selectAll().where('id', '=', turnId).executeTakeFirst()
  const session = turn && (await sessionToIndex(read, turn.session_id))
  if (turn === undefined || session === undefined) return undefined
  const { builder, kinds } = turn.turn_type === 'compaction' ? compactions : turns
  const item = { ...turn, session, kind: kinds[0], file: null, path: null, hash: null, identity: null } as TurnItem
  return (await builder(read, [item], { maxTokens: 0, owner: { timezone: 'UTC' } }))(turnId)
}
