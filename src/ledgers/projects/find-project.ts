/** An ambiguous name matches all projects (`owner/name` is exact), so a filter never hides results. An unknown name is an error. */
import type { MnemonicError } from '../../core/error.ts'
import { normalOrigin } from '../../core/git-origin.ts'
import { unknownValue } from '../../core/unknown-value.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import { lastParts } from './identify.ts'
import { keysMergedFrom } from './list-projects.ts'
import { projectDecisions } from './project-decisions.ts'
import { worktreeRoot } from './worktree-root.ts'

/** Limits statement parameters. */
const MOST = 10_000

export interface Here {
  readonly project: string
  readonly origin?: string
}

export async function findProject(store: Store, name: string, here: Here | undefined): Promise<ProjectScope> {
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['project', 'repository', 'project_name', 'workspace_path'])
    .distinct()
    .execute()
  const isCurrent = name.trim() === '.'
  const wanted = folded(isCurrent ? (here?.project ?? name) : name)
  const ends = (value: string | null) =>
    value !== null && wanted !== '' && (folded(value) === wanted || folded(value).endsWith(`/${wanted}`))
  const remote = normalOrigin(name)
  const keys = new Set<string>()
  const folders = new Set<string>()
  for (const { project, repository, project_name, workspace_path } of rows) {
    const key = repository ?? project
    const isHere = here !== undefined && ((repository !== null && repository === here.origin) || project === here.project)
    const isNamed = ends(project) || ends(repository) || ends(project_name) || (remote !== undefined && repository === remote)
    if (key !== null && (isNamed || (isCurrent && isHere))) keys.add(key)
    else if (!isCurrent && workspace_path !== null && ends(workspace_path)) folders.add(workspace_path)
  }
  if (!isCurrent)
    for (const key of keysMergedFrom(await projectDecisions(store.read), (from) => ends(from) || from === remote)) keys.add(key)
  const ids = isCurrent ? [] : await movedFrom(store, ends)
  if (keys.size + folders.size + ids.length === 0 && here !== undefined)
    for (const { project, repository } of rows)
      if (project === here.project || (repository !== null && repository === here.origin)) keys.add(repository ?? (project as string))
  if (keys.size + folders.size + ids.length === 0 && rows.length > 0) throw unknown(name, here, rows)
  return { keys: [...keys].slice(0, MOST), folders: [...folders].slice(0, MOST), ids: ids.slice(0, MOST) }
}

/** The repository's remote, else its root. A folder on another machine belongs to the innermost project that contains it. */
export async function keysOfFolder(store: Store, folder: string, here: Here | undefined): Promise<ReadonlySet<string>> {
  const rows = await store.reader.projects('all')
  const project = folded(worktreeRoot(here?.project ?? folder) ?? here?.project ?? innermost(rows, folder) ?? folder)
  const own = rows.filter((row) => row.project !== null && folded(row.project) === project)
  const remotes = new Set([here?.origin, ...own.map(({ repository }) => repository)].filter((remote) => remote != null))
  const all = rows.filter((row) => own.includes(row) || (row.repository !== null && remotes.has(row.repository)))
  return new Set(all.flatMap((row) => row.repository ?? row.project ?? []))
}

function innermost(rows: readonly { readonly project: string | null }[], folder: string): string | undefined {
  const inner = `${folded(folder)}/`
  return rows
    .flatMap(({ project }) => (project !== null && folded(project) !== '' && inner.startsWith(`${folded(project)}/`) ? [project] : []))
    .sort((a, b) => b.length - a.length)[0]
}

async function movedFrom(store: Store, isMeant: (path: string) => boolean): Promise<string[]> {
  const left = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'context_json'])
    .where('context_json', 'like', '%"moved_from"%')
    .execute()
  return left
    .filter(({ context_json }) => formerPaths(context_json).some((path) => typeof path === 'string' && isMeant(path)))
    .map(({ id }) => id)
}

function formerPaths(context: string | null): unknown[] {
  const { moved_from } = JSON.parse(context ?? '{}') as { moved_from?: unknown }
  return Array.isArray(moved_from) ? moved_from : []
}

function folded(path: string): string {
  return path.normalize('NFC').trim().toLowerCase().replaceAll('\\', '/').replace(/\/+$/, '')
}

function unknown(
  name: string,
  here: Here | undefined,
  rows: readonly { readonly project: string | null; readonly project_name: string | null }[],
): MnemonicError {
  const known = rows.flatMap(({ project, project_name }) => project_name ?? (project === null ? [] : lastParts(project, 1)))
  const none = 'No session here says which project it is of.'
  return unknownValue({ filter: 'project', said: 'no session is of a project called', values: [here?.project ?? name], known, none })
}
