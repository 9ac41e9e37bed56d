/** Sessions that a person can resume: a subagent resolves to its root; deleted ones drop out. */
import type { Selectable } from 'kysely'
import type { Store } from '../../store/store.ts'
import type { AgentSessionsTable } from '../../store/tables.ts'

const COLUMNS = [
  'id',
  'native_id',
  'agent_id',
  'source',
  'title',
  'project',
  'project_name',
  'repository',
  'status',
  'last_message_at',
  'is_subagent',
  'parent_session_id',
] as const

export type RootSession = Pick<Selectable<AgentSessionsTable>, (typeof COLUMNS)[number]>

const DEEPEST = 20
const AT_ONCE = 400

/** By requested id. Omits missing, deleted and filtered sessions, and subagents with an unknown parent. */
export async function rootsOf(
  store: Store,
  ids: readonly string[],
  { agentId, harness }: { readonly agentId: string; readonly harness: string | undefined },
): Promise<Map<string, RootSession>> {
  const rows = new Map<string, RootSession>()
  for (let wanted = [...new Set(ids)], depth = 0; wanted.length > 0 && depth < DEEPEST; depth++) {
    for (const row of await load(store, wanted)) rows.set(row.id, row)
    wanted = [...rows.values()].flatMap(({ is_subagent, parent_session_id: parent }) =>
      is_subagent === 1 && parent !== null && !rows.has(parent) ? [parent] : [],
    )
  }
  const found = new Map<string, RootSession>()
  for (const id of ids) {
    let at = rows.get(id)
    for (let depth = 0; at?.is_subagent === 1 && depth < DEEPEST; depth++) at = rows.get(at.parent_session_id ?? '')
    if (at === undefined || at.is_subagent === 1 || at.status === 'deleted') continue
    if ((agentId === 'all' || at.agent_id === agentId) && (harness === undefined || at.source === harness)) found.set(id, at)
  }
  return found
}

async function load({ read }: Store, ids: readonly string[]): Promise<RootSession[]> {
  const all: RootSession[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE)
    all.push(
      ...(await read
        .selectFrom('agent_sessions')
        .select(COLUMNS)
        .where('id', 'in', ids.slice(from, from + AT_ONCE))
        .execute()),
    )
  return all
}
