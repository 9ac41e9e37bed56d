/** Selects rows for a plan that the agent reads. Excludes rows of unclear owner. */
import type { Store } from '../../store/store.ts'

export interface OwnRows {
  readonly keys: (table: string) => readonly string[]
  readonly isOwn: (table: string, row: Readonly<Record<string, unknown>>) => boolean
}

/** Undefined if it is the only agent. */
export async function ownRows(store: Store, agentId: string): Promise<OwnRows | undefined> {
  const others = await Promise.all(
    (['agent_sessions', 'events', 'entities'] as const).map((table) =>
      store.read.selectFrom(table).select('agent_id').where('agent_id', '<>', agentId).limit(1).executeTakeFirst(),
    ),
  )
  if (others.every((other) => other === undefined)) return undefined
  const sessions = new Set(
    (await store.read.selectFrom('agent_sessions').select('id').where('agent_id', '=', agentId).execute()).map(({ id }) => id),
  )
  const columns = new Map((await store.tables()).map((table) => [table.name, new Set(table.columns)]))
  return {
    keys: (table) => ['agent_id', 'session_id'].filter((column) => columns.get(table)?.has(column)),
    isOwn: (_, { agent_id, session_id }) =>
      typeof agent_id === 'string' ? agent_id === agentId : typeof session_id === 'string' && sessions.has(session_id),
  }
}
