import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'

interface Head {
  readonly id: string
  readonly head_turn_id: string | null
}

/** First turn to head. A resumed or forked session includes turns of its parent. */
export async function currentPath(store: Store, session: Head): Promise<TurnRow[]> {
  const own = await allTurns(store, session.id)
  const known = new Map(own.map((turn) => [turn.id, turn]))
  const path: TurnRow[] = []
  const seen = new Set<string>()
  let id = session.head_turn_id
  while (id !== null && !seen.has(id)) {
    seen.add(id)
    const turn = known.get(id) ?? (await loadSessionOf(store, id, known))
    if (turn === undefined) break
    path.push(turn)
    id = turn.parent_turn_id
  }
  return path.length > 0 ? path.reverse() : own.filter((turn) => turn.status !== 'superseded')
}

export async function withBranches(store: Store, session: Head): Promise<TurnRow[]> {
  const before = (await currentPath(store, session)).filter((turn) => turn.session_id !== session.id)
  return [...before, ...(await allTurns(store, session.id))]
}

export function allTurns(store: Store, sessionId: string): Promise<TurnRow[]> {
  return store.read.selectFrom('agent_turns').selectAll().where('session_id', '=', sessionId).orderBy('sequence').orderBy('id').execute()
}

/** If the parent is in another session, loads all its turns at once. */
async function loadSessionOf(store: Store, turnId: string, known: Map<string, TurnRow>): Promise<TurnRow | undefined> {
  const turn = await store.read.selectFrom('agent_turns').select('session_id').where('id', '=', turnId).executeTakeFirst()
  if (turn === undefined) return undefined
  for (const row of await allTurns(store, turn.session_id)) known.set(row.id, row)
  return known.get(turnId)
}
