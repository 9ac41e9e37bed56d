import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { FactKind } from './fact.ts'
import { placeOfFile } from './place-of-file.ts'

export interface StoredFact {
  readonly id: string
  readonly session: string
  readonly message: string
  readonly call: string | null
  readonly turn: string | null
  readonly kind: FactKind
  readonly key: string
  readonly value: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly at: number
  readonly trust: string
}

export interface FactScope {
  readonly agentId: string
  readonly scope: ProjectScope
  readonly kinds?: readonly FactKind[]
}

/** Oldest first. `index.tools: off` excludes facts known only from tool calls. */
export async function readFacts(store: Store, { agentId, scope, kinds }: FactScope): Promise<StoredFact[]> {
  let query = store.read
    .selectFrom('agent_sessions as s')
    .innerJoin('project_facts as f', 'f.session_id', 's.id')
    .innerJoin('agent_messages as m', 'm.id', 'f.message_id')
    .select([
      'f.id',
      'f.session_id',
      'f.message_id',
      'f.call_id',
      'f.kind',
      'f.key',
      'f.value',
      'f.detail_json',
      'f.at',
      'f.trust',
      'm.turn_id',
    ])
    .where('s.status', '<>', 'deleted')
    .where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('s.repository', 's.project'), 'in', scope.keys.length === 0 ? [''] : scope.keys),
        eb('s.workspace_path', 'in', scope.folders.length === 0 ? [''] : scope.folders),
        eb('s.id', 'in', scope.ids.length === 0 ? [''] : scope.ids),
      ]),
    )
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  if (kinds !== undefined) query = query.where('f.kind', 'in', [...kinds])
  if (store.work.tools === 'off') query = query.where('f.call_id', 'is', null)
  const rows = await query.orderBy('f.at').orderBy('f.id').execute()
  return rows.map((row) => ({
    ...{ id: row.id, session: row.session_id, message: row.message_id, call: row.call_id, turn: row.turn_id },
    ...{ kind: row.kind as FactKind, key: row.key, value: row.value, at: row.at ?? 0, trust: row.trust },
    detail: row.detail_json === null ? {} : (JSON.parse(row.detail_json) as Record<string, unknown>),
  }))
}

export interface TouchedFile {
  /** Relative to the project. */
  readonly path: string
  readonly changes: number
  readonly sessions: ReadonlySet<string>
  readonly call: string
  readonly at: number
}

export async function changedFiles(store: Store, { agentId, scope }: FactScope): Promise<TouchedFile[]> {
  if (store.work.tools === 'off') return []
  let query = store.read
    .selectFrom('agent_sessions as s')
    .innerJoin('index_sessions as i', 'i.id', 's.id')
    .innerJoin('work_calls as c', 'c.session', 'i.number')
    .innerJoin('work_files as f', 'f.call', 'c.id')
    .innerJoin('work_names as n', 'n.number', 'f.path')
    .select(['s.id', 's.project', 's.workspace_path', 'n.name', 'c.call', 'c.timestamp'])
    .where('s.status', '<>', 'deleted')
    .where('f.action', 'in', ['edit', 'create'])
    .where((eb) =>
      eb.or([
        eb(eb.fn.coalesce('s.repository', 's.project'), 'in', scope.keys.length === 0 ? [''] : scope.keys),
        eb('s.id', 'in', scope.ids.length === 0 ? [''] : scope.ids),
      ]),
    )
  if (agentId !== 'all') query = query.where('s.agent_id', '=', agentId)
  const found = new Map<string, { changes: number; sessions: Set<string>; call: string; at: number }>()
  for (const { id, project, workspace_path, name, call, timestamp } of await query.execute()) {
    const path = placeOfFile(name, { project, workspace_path })
    if (path === undefined || !path.includes('.')) continue
    const before = found.get(path) ?? { changes: 0, sessions: new Set<string>(), call, at: 0 }
    before.changes += 1
    before.sessions.add(id)
    found.set(path, timestamp >= before.at ? { ...before, call, at: timestamp } : before)
  }
  return [...found].map(([path, rest]) => ({ path, ...rest })).sort((a, b) => b.changes - a.changes || (a.path < b.path ? -1 : 1))
}
