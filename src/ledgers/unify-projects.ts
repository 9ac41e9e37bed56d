/**
 * Updates projects of moved folders and of folders inside a repository. The original stays in `workspace_path`, earlier projects in
 * `moved_from`.
 */

import type { Selectable } from 'kysely'
import { isTooDeep } from '../core/nesting.ts'
import type { Store, WriteTx } from '../store/store.ts'
import type { AgentSessionsTable } from '../store/tables.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import { withoutForgotten } from '../tombstones/without-forgotten.ts'
import { worktreeRoot } from './projects/worktree-root.ts'

export interface UnifyOptions {
  /** Undefined if the folder is not on this machine. */
  readonly locate: (folder: string) => { readonly project: string; readonly origin?: string } | undefined
  /** Runs first in each write transaction. */
  readonly guard: (tx: WriteTx) => Promise<void>
}

type Row = Pick<Selectable<AgentSessionsTable>, 'id' | 'project' | 'workspace_path' | 'context_json'>
type Change = Pick<Row, 'id' | 'project' | 'workspace_path' | 'context_json'>

const PAGE = 2000

/** Returns the number of changed sessions. Idempotent. */
export async function unifyProjects(store: Store, { locate, guard }: UnifyOptions): Promise<number> {
  const here = await projectsByOrigin(store, locate)
  let changed = 0
  let last = ''
  for (;;) {
    const rows = await page(store, last)
    const changes = rows.filter(isSound).flatMap((row) => change(row, here, locate) ?? [])
    if (changes.length > 0) {
      await store.write(async (tx) => {
        await guard(tx)
        const tombstones = await tombstonesOf(tx)
        for (const { id, ...values } of changes.map((one) => allowed(one, tombstones)))
          await tx.db.updateTable('agent_sessions').set(values).where('id', '=', id).execute()
      })
    }
    changed += changes.length
    last = rows.at(-1)?.id ?? ''
    if (rows.length < PAGE) return changed
  }
}

/** Skips JSON that old versions stored too deep. */
function isSound({ context_json }: Row): boolean {
  return context_json === null || !isTooDeep(context_json)
}

/** A forgotten folder must not return from the disk. */
function allowed(change: Change, tombstones: Tombstones | undefined): Change {
  if (tombstones === undefined) return change
  const visible = (value: string | null) => (value !== null && tombstones.holds('value', value) ? null : value)
  const { id, project, workspace_path, context_json } = change
  const context = context_json === null ? null : JSON.stringify(withoutForgotten(JSON.parse(context_json), tombstones))
  return { id, project: visible(project), workspace_path: visible(workspace_path), context_json: context }
}

function page(store: Store, after: string): Promise<Row[]> {
  return store.read
    .selectFrom('agent_sessions')
    .select(['id', 'project', 'workspace_path', 'context_json'])
    .where('id', '>', after)
    .where('project', 'is not', null)
    .orderBy('id')
    .limit(PAGE)
    .execute()
}

async function projectsByOrigin(store: Store, locate: UnifyOptions['locate']): Promise<Map<string, Set<string>>> {
  const rows = await store.read.selectFrom('agent_sessions').select('project').where('project', 'is not', null).distinct().execute()
  const projects = new Map<string, Set<string>>()
  for (const { project } of rows) {
    const located = project === null ? undefined : locate(project)
    if (located?.origin !== undefined) projects.set(located.origin, (projects.get(located.origin) ?? new Set()).add(located.project))
  }
  return projects
}

function change(row: Row, here: ReadonlyMap<string, Set<string>>, locate: UnifyOptions['locate']): Change | undefined {
  const { id, project } = row
  if (project === null) return undefined
  const context = contextOf(row)
  const workspace_path = row.workspace_path ?? project
  const located = locate(project)
  const root = located === undefined ? worktreeRoot(project) : undefined
  const target = located ?? movedTo(context.git_origin, here) ?? (root === undefined ? undefined : (locate(root) ?? { project: root }))
  if (target === undefined) return undefined
  const facts: Record<string, unknown> = {}
  // Imported before the folder was a repository, or before origins were read.
  if (target.origin !== undefined && typeof context.git_origin !== 'string') facts.git_origin = target.origin
  // A worktree did not move: its folder is still the reported one.
  const isWorktree = root !== undefined && workspace_path === project
  if (target.project !== project && !isWorktree && (located === undefined || workspace_path !== project)) {
    const before = Array.isArray(context.moved_from) ? (context.moved_from as unknown[]) : []
    facts.moved_from = [...new Set([...before, project])]
  }
  const isNew = Object.keys(facts).length > 0
  if (target.project === project && !isNew) return undefined
  return { id, project: target.project, workspace_path, context_json: isNew ? JSON.stringify({ ...context, ...facts }) : row.context_json }
}

function movedTo(origin: unknown, here: ReadonlyMap<string, Set<string>>): { project: string; origin?: string } | undefined {
  const [project, ...others] = typeof origin === 'string' ? (here.get(origin) ?? []) : []
  return project === undefined || others.length > 0 ? undefined : { project }
}

function contextOf({ context_json }: Row): Record<string, unknown> {
  const context: unknown = context_json === null ? {} : JSON.parse(context_json)
  return typeof context === 'object' && context !== null && !Array.isArray(context) ? (context as Record<string, unknown>) : {}
}
