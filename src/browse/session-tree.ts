/** A session with its subagents, level by level. Each session occurs once, even with broken links. */
import type { Selectable } from 'kysely'
import type { SessionRow } from '../ledgers/resolve.ts'
import type { Store } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import type { ShownTree, TreeNode } from './browse.ts'
import type { Redact } from './redact-stored.ts'
import { SUMMARY_COLUMNS, sessionSummaries } from './session-summary.ts'

const COLUMNS = [...SUMMARY_COLUMNS, 'parent_native_id', 'parent_message_id', 'tool_call_id', 'task_status'] as const

type Row = Pick<Selectable<AgentSessionsTable>, (typeof COLUMNS)[number]>

const BATCH = 500
const USAGE_MESSAGES = 200_000

export interface TreeOptions {
  readonly redact: Redact
  readonly agentId?: string | undefined
}

export async function sessionTree(store: Store, session: SessionRow, { redact, agentId }: TreeOptions): Promise<ShownTree> {
  const root = await rootOf(store, session, agentId)
  const children = await descendants(store, root, agentId)
  const rows: { row: Row; depth: number }[] = []
  // No recursion: chains of subagents may have any length.
  const open = [{ row: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    rows.push(next)
    const { row, depth } = next
    open.push(...(children.get(row.id) ?? []).map((child) => ({ row: child, depth: depth + 1 })).reverse())
  }
  const summaries = await sessionSummaries(
    store,
    rows.map(({ row }) => row),
    { redact, usageMessages: USAGE_MESSAGES },
  )
  const calls = await callsThatStarted(
    store,
    rows.map(({ row }) => row.id),
  )
  const nodes = summaries.flatMap((summary, i): TreeNode[] => {
    const at = rows[i]
    if (at === undefined) return []
    const { row, depth } = at
    const call = calls.get(row.id)
    const started_by =
      call ?? (row.tool_call_id === null ? null : { tool_call_id: row.tool_call_id, tool: null, message_id: row.parent_message_id })
    return [{ ...summary, depth, task_status: row.task_status, started_by, missing_parent: missingParent(row) }]
  })
  return { kind: 'tree', session_id: session.id, root_session_id: root.id, nodes }
}

/** Missing means not stored; a parent in a cycle is stored. */
function missingParent(row: Row): string | null {
  return row.parent_session_id === null ? row.parent_native_id : null
}

function sessions(store: Store, agentId: string | undefined) {
  const all = store.read.selectFrom('agent_sessions').select(COLUMNS).where('status', '<>', 'deleted')
  return agentId === undefined ? all : all.where('agent_id', '=', agentId)
}

/** In a cycle returns the session with the first id: independent of the start. */
async function rootOf(store: Store, session: Row, agentId: string | undefined): Promise<Row> {
  const way = new Map<string, Row>([[session.id, session]])
  let at = session
  while (at.parent_session_id !== null) {
    const known = way.get(at.parent_session_id)
    if (known !== undefined) return firstOf([...way.values()].slice([...way.keys()].indexOf(known.id)))
    const parent = await sessions(store, agentId).where('id', '=', at.parent_session_id).executeTakeFirst()
    if (parent === undefined) return at
    way.set(parent.id, parent)
    at = parent
  }
  return at
}

function firstOf(rows: readonly Row[]): Row {
  return rows.reduce((first, row) => (row.id < first.id ? row : first))
}

async function descendants(store: Store, root: Row, agentId: string | undefined): Promise<Map<string, Row[]>> {
  const children = new Map<string, Row[]>()
  const seen = new Set([root.id])
  let level = [root.id]
  while (level.length > 0) {
    const next: string[] = []
    for (let i = 0; i < level.length; i += BATCH) {
      const rows = await sessions(store, agentId)
        .where('parent_session_id', 'in', level.slice(i, i + BATCH))
        .orderBy('started_at')
        .orderBy('id')
        .execute()
      for (const row of rows) {
        if (seen.has(row.id) || row.parent_session_id === null) continue
        seen.add(row.id)
        next.push(row.id)
        children.set(row.parent_session_id, [...(children.get(row.parent_session_id) ?? []), row])
      }
    }
    level = next
  }
  return children
}

type Started = NonNullable<TreeNode['started_by']>

async function callsThatStarted(store: Store, ids: readonly string[]): Promise<Map<string, Started>> {
  const calls = new Map<string, Started>()
  for (let i = 0; i < ids.length; i += BATCH) {
    const rows = await store.read
      .selectFrom('agent_tool_calls')
      .select(['id', 'tool_name', 'message_id', 'child_session_id'])
      .where('child_session_id', 'in', ids.slice(i, i + BATCH))
      .orderBy('id')
      .execute()
    for (const row of rows) {
      if (row.child_session_id === null || calls.has(row.child_session_id)) continue
      calls.set(row.child_session_id, { tool_call_id: row.id, tool: row.tool_name, message_id: row.message_id })
    }
  }
  return calls
}
