/** Edit calls that wrote a file, in this working tree or in another clone or worktree. */

import { projectLocator } from '../../ingest/project-of.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import { editsOf } from '../../ledgers/deeds/edits.ts'
import { plainPath } from '../../ledgers/deeds/path.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import { keysOfFolder } from '../../ledgers/projects/find-project.ts'
import { worktreeRoot } from '../../ledgers/projects/worktree-root.ts'
import type { Store } from '../../store/store.ts'
import type { WorkCall, WorkFilter } from '../../store/work.ts'
import type { EditEvent } from './attribute.ts'
import { slashes } from './place.ts'

export interface WhySession {
  readonly id: string
  readonly native_id: string
  readonly source: string
  readonly title: string | null
  readonly model: string | null
  readonly project: string | null
  readonly workspace_path: string | null
  readonly is_subagent: number
  readonly parent_session_id: string | null
}

export interface EditCall extends EditEvent {
  readonly call: Pick<WorkCall, 'call_id' | 'turn_id' | 'message_id' | 'session_id'>
}

export interface RefusedEdit {
  readonly session: string
  readonly at: number
  readonly turn: string | null
  readonly reason: string
}

export interface EditCalls {
  readonly edits: readonly EditCall[]
  readonly refused: readonly RefusedEdit[]
  readonly sessions: ReadonlyMap<string, WhySession>
  /** False if calls were left out: unmatched lines are then unknown. */
  readonly isComplete: boolean
  /** Earlier names, from moves in sessions. */
  readonly movedFrom: readonly string[]
}

export interface EditedFile {
  readonly file: string
  readonly root: string | undefined
  readonly name: string
  readonly agentId: string
}

const MOST_CALLS = 3000
const MOST_CHARS = 128 << 20
const AT_ONCE = 100

export async function editCallsOf(store: Store, { file, root, name, agentId }: EditedFile): Promise<EditCalls> {
  const own = slashes(file)
  const here = root === undefined ? undefined : projectLocator()(root)
  const keys = root === undefined ? new Set<string>() : await keysOfFolder(store, root, here)
  const shared: WorkFilter = { actions: ['edit', 'create'], branches: true, ...(agentId === 'all' ? {} : { agentId }) }
  const ids = new Set<number>()
  let isComplete = store.work.tools !== 'off' && plainPath(own) !== undefined
  const look = async (filter: WorkFilter) => {
    const { hits, total } = await store.work.search({ any: [] }, { ...shared, ...filter }, MOST_CALLS)
    for (const { id } of hits) ids.add(id)
    if (total > hits.length) isComplete = false
  }
  await look({ file: own })
  if (keys.size > 0 && root !== undefined) await look({ file: name, project: { keys: [...keys], folders: [], ids: [] } })
  const found: EditCall[] = []
  const refused: RefusedEdit[] = []
  const movedFrom = new Set<string>()
  const sessions = new Map<string, WhySession>()
  let chars = 0
  const all = [...ids]
  for (let at = 0; at < all.length && chars < MOST_CHARS; at += AT_ONCE) {
    const calls = await store.work.calls(all.slice(at, at + AT_ONCE))
    await addSessions(
      store,
      sessions,
      calls.map(({ session_id }) => session_id),
    )
    for (const call of calls) {
      chars += (call.params_json?.length ?? 0) + (call.result_json?.length ?? 0)
      const tool = { tool_name: call.tool, params_json: call.params_json, result_json: call.result_json, status: call.status }
      const session = sessions.get(call.session_id)
      if (session === undefined) continue
      const treeOf = (path: string) => workingTree(path, { own, root, name, session })
      const edits = editsOf(tool)
      for (const edit of edits) {
        const tree = treeOf(edit.path)
        if (tree === undefined) continue
        if (edit.movedFrom !== undefined) addName(movedFrom, edit.movedFrom, tree)
        found.push({ id: call.call_id, session: call.session_id, tree, at: call.timestamp, hunks: edit.hunks, call })
      }
      if (edits.length === 0) for (const name of movesOf(tool, treeOf)) addName(movedFrom, name.path, name.tree)
    }
  }
  if (chars >= MOST_CHARS) isComplete = false
  refused.push(...(await refusedEdits(store, [...sessions.keys()], name)))
  return {
    edits: found.sort((a, b) => a.at - b.at),
    refused,
    sessions,
    isComplete,
    movedFrom: [...movedFrom].filter((one) => one !== name),
  }
}

function addName(names: Set<string>, path: string, tree: string): void {
  if (tree === '') names.add(path)
  else if (path.startsWith(`${tree}/`)) names.add(path.slice(tree.length + 1))
}

/** `mv a b`, or a moving tool: the deleted file beside this created one. */
function movesOf(tool: Parameters<typeof deedsOf>[0], treeOf: (path: string) => string | undefined) {
  const { files } = deedsOf(tool)
  const tree = files.filter(({ action }) => action === 'create').flatMap(({ path }) => treeOf(path) ?? [])[0]
  const gone = files.filter(({ action }) => action === 'delete')
  return tree !== undefined && gone.length === 1 ? gone.map(({ path }) => ({ path, tree })) : []
}

async function addSessions(store: Store, known: Map<string, WhySession>, ids: readonly string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  for (const row of await sessionsOf(store, missing)) known.set(row.id, row)
}

export async function sessionsOf(store: Store, ids: readonly string[]): Promise<WhySession[]> {
  const found: WhySession[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const rows = await store.read
      .selectFrom('agent_sessions')
      .select(['id', 'native_id', 'source', 'title', 'model', 'project', 'workspace_path', 'is_subagent', 'parent_session_id'])
      .where('id', 'in', ids.slice(at, at + AT_ONCE))
      .where('status', '<>', 'deleted')
      .execute()
    found.push(...rows)
  }
  return found
}

interface Meant {
  readonly own: string
  readonly root: string | undefined
  readonly name: string
  readonly session: WhySession
}

/** Undefined if the path is another file. */
function workingTree(path: string, { own, root, name, session }: Meant): string | undefined {
  if (path === own) return root === undefined ? '' : slashes(root)
  if (root === undefined) return undefined
  const folders = [session.workspace_path, session.project].flatMap((folder) =>
    folder === null ? [] : [slashes(folder).replace(/\/+$/, '')],
  )
  const isWhole = /^(?:\/|[A-Za-z]:\/)/.test(path)
  const whole = isWhole || folders[0] === undefined ? path : `${folders[0]}/${path}`
  if (whole === name) return session.id
  if (!whole.endsWith(`/${name}`)) return undefined
  const tree = whole.slice(0, -name.length - 1)
  if (tree === slashes(root)) return tree
  const roots = [...folders, ...folders.flatMap((folder) => worktreeRoot(folder) ?? [])]
  const isRoot = roots.includes(tree) || roots.includes(worktreeRoot(tree) ?? '') || roots.some((folder) => folder.startsWith(`${tree}/`))
  return isRoot ? tree : undefined
}

const REFUSALS_READ = 200

/** Refused edits touched nothing, so no file index has them. */
async function refusedEdits(store: Store, sessions: readonly string[], name: string): Promise<RefusedEdit[]> {
  const end = name.split('/').slice(-2).join('/')
  if (sessions.length === 0) return []
  const rows = await store.read
    .selectFrom('agent_tool_calls as c')
    .leftJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select(['c.session_id', 'c.started_at', 'm.turn_id', 'c.tool_name', 'c.params_json', 'c.result_json', 'c.status'])
    .where('c.session_id', 'in', sessions.slice(0, REFUSALS_READ))
    .where('c.status', 'in', ['error', 'rejected', 'cancelled', 'failed'])
    .where('c.tool_name', 'in', EDIT_TOOLS)
    .limit(REFUSALS_READ)
    .execute()
  return rows.flatMap((row) => {
    const path = /"(?:file_path|filePath|path)":"((?:[^"\\]|\\.){1,500})"/.exec((row.params_json ?? '').slice(0, 20_000))?.[1]
    if (path === undefined || !slashes(path).endsWith(end)) return []
    const result = resultOf(row)
    const reason = /the user said:\s*([\s\S]{1,1000})/.exec(result.text)?.[1]?.trim()
    return result.refused && reason !== undefined ? [{ session: row.session_id, at: row.started_at ?? 0, turn: row.turn_id, reason }] : []
  })
}

const EDIT_TOOLS = ['Edit', 'Write', 'MultiEdit', 'edit', 'write', 'apply_patch', 'replace', 'write_file', 'NotebookEdit']
