/** Works in any reading order. */
import type { Selectable } from 'kysely'
import { sessionId } from '../core/ids.ts'
import { parseJson } from '../core/nesting.ts'
import { oneLine } from '../core/text.ts'
import type { ToolCallRow } from '../store/agent-rows.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'

type SessionRow = Selectable<AgentSessionsTable>

const LONGEST_TASK = 200
const LEDGER_STATUSES: ReadonlySet<string> = new Set(['pending', 'completed', 'error'])

/** `waiting`: message → its parent in another session. Skips parents that are still missing. Two sessions may continue each other. */
export async function linkParents(tx: WriteTx, waiting: Map<string, string>): Promise<void> {
  const parents = await tx.agents.messages([...new Set(waiting.values())])
  for (const [id, parentId] of waiting) {
    const parent = parents.get(parentId)
    if (parent === undefined) continue
    await tx.db.updateTable('agent_messages').set({ parent_id: parentId }).where('id', '=', id).execute()
    const turn = (await tx.agents.turnsOfOpeners([parent.opener_id])).get(parent.opener_id)
    if (turn === undefined) continue
    await tx.db.updateTable('agent_turns').set({ parent_turn_id: turn.id }).where('opener_id', '=', id).execute()
    await tx.agents.markParents([turn.id])
  }
  waiting.clear()
}

export async function linkSubagents(tx: WriteTx, source: string, sessions: ReadonlySet<string>): Promise<void> {
  for (const id of sessions) {
    const [session] = await sessionById(tx.db, { id })
    if (session === undefined) continue
    if (session.is_subagent) await linkParent(tx, source, session)
    for (const child of await childrenOf(tx, source, session)) await linkParent(tx, source, child)
  }
}

async function linkParent(tx: WriteTx, source: string, child: SessionRow): Promise<void> {
  const named = child.parent_native_id === null ? undefined : sessionId(source, child.parent_native_id)
  const call = await callOf(tx, child, named)
  const exists = named !== undefined && (await tx.db.selectFrom('agent_sessions').select('id').where('id', '=', named).executeTakeFirst())
  await tx.db
    .updateTable('agent_sessions')
    .set({
      parent_session_id: exists ? named : (call?.session_id ?? null),
      ...(call === undefined
        ? {}
        : {
            tool_call_id: call.id,
            parent_message_id: call.message_id,
            // Keeps the source's own status; ours follows the call.
            task_status: child.task_status === null || LEDGER_STATUSES.has(child.task_status) ? call.status : child.task_status,
            task_description: child.task_description ?? taskOf(call),
          }),
    })
    .where('id', '=', child.id)
    .execute()
  if (call !== undefined)
    await tx.db.updateTable('agent_tool_calls').set({ child_session_id: child.id }).where('id', '=', call.id).execute()
}

/** Must belong to the named parent, if any, and must not have started another session. */
async function callOf(tx: WriteTx, child: SessionRow, parent: string | undefined): Promise<ToolCallRow | undefined> {
  const ids = child.tool_call_id === null ? [] : [child.tool_call_id, ...(parent === undefined ? [] : [`${parent}/${child.tool_call_id}`])]
  const calls = await tx.db
    .selectFrom('agent_tool_calls')
    .selectAll()
    .where((eb) => eb.or([eb('child_native_id', '=', child.native_id), ...(ids.length === 0 ? [] : [eb('id', 'in', ids)])]))
    .where((eb) => eb.or([eb('child_session_id', 'is', null), eb('child_session_id', '=', child.id)]))
    .orderBy('id')
    .execute()
  return calls.find((call) => (parent === undefined ? call.session_id.startsWith(`${child.source}:`) : call.session_id === parent))
}

async function childrenOf(tx: WriteTx, source: string, parent: SessionRow): Promise<SessionRow[]> {
  const named = await childrenByName(tx.db, { name: parent.native_id })
  const called = await childrenByCall(tx.db, { source, parentId: parent.id })
  const children = new Map([...named, ...called].map((child) => [child.id, child]))
  return [...children.values()]
    .filter((child) => child.source === source && child.is_subagent === 1)
    .sort((a, b) => (a.native_id < b.native_id ? -1 : 1))
}

const sessionById = compiledOnce((db, { id }: { id: string }) => db.selectFrom('agent_sessions').selectAll().where('id', '=', id))

// Two indexed queries: a combined one would read every session of the source.
const childrenByName = compiledOnce((db, { name }: { name: string }) =>
  db.selectFrom('agent_sessions').selectAll().where('parent_native_id', '=', name),
)

const childrenByCall = compiledOnce((db, { source, parentId }: { source: string; parentId: string }) =>
  db
    .selectFrom('agent_sessions')
    .selectAll()
    .where('source', '=', source)
    .where('native_id', 'in', (eb) =>
      eb
        .selectFrom('agent_tool_calls')
        .select((child) => child.ref('child_native_id').$notNull().as('child'))
        .where('session_id', '=', parentId)
        .where('child_native_id', 'is not', null),
    ),
)

function taskOf(call: ToolCallRow): string | null {
  const params = call.params_json === null ? null : parsed(call.params_json)
  if (typeof params !== 'object' || params === null) return null
  const { description, prompt } = params as { description?: unknown; prompt?: unknown }
  const task = [description, prompt].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof task === 'string' ? oneLine(task, LONGEST_TASK) : null
}

function parsed(json: string): unknown {
  try {
    return parseJson(json)
  } catch {
    return null // some harnesses store the model's broken JSON
  }
}
