import { MnemonicError } from '../../core/error.ts'
import { normalOrigin } from '../../core/git-origin.ts'
import { redactVisible } from '../../core/redact.ts'
import { toIso } from '../../core/time.ts'
import { unknownValue } from '../../core/unknown-value.ts'
import type { Store } from '../../store/store.ts'
import { type ProjectDecisions, projectDecisions, standsFor } from './project-decisions.ts'

export interface ListedProject {
  readonly name: string
  /** Remote, or folder if there is none. */
  readonly key: string
  readonly folders: readonly string[]
  readonly sessions: number
  readonly last: string | null
  readonly merged: readonly string[]
}

/** Last used first. Redacted. */
export async function listProjects(store: Store, agentId: string): Promise<ListedProject[]> {
  const { merged } = await projectDecisions(store.read)
  return (await groupsOf(store, agentId)).map(({ key, name, folders, sessions, last }) => ({
    ...{ name: redactVisible(name), key: redactVisible(key), folders: folders.map((folder) => redactVisible(folder)), sessions },
    last: last === null ? null : toIso(last),
    merged: [...merged.keys()].filter((from) => standsFor(merged, from) === key).map((from) => redactVisible(from)),
  }))
}

export interface ProjectGroup {
  readonly key: string
  readonly name: string
  readonly folders: readonly string[]
  readonly sessions: number
  readonly last: number | null
}

async function groupsOf(store: Store, agentId: string): Promise<ProjectGroup[]> {
  let query = store.read
    .selectFrom('agent_sessions')
    .select(({ fn }) => [
      ...(['project', 'repository', 'project_name'] as const),
      fn.countAll<number>().as('count'),
      fn.max('last_message_at').as('last'),
    ])
    .where('project', 'is not', null)
    .groupBy(['project', 'repository', 'project_name'])
    .orderBy('project')
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const groups = new Map<string, ProjectGroup>()
  for (const { project, repository, project_name, count, last } of await query.execute()) {
    const key = repository ?? (project as string)
    const known = groups.get(key)
    groups.set(key, {
      key,
      name: known?.name ?? project_name ?? key,
      folders: [...new Set([...(known?.folders ?? []), project as string])],
      sessions: (known?.sessions ?? 0) + Number(count),
      last: Math.max(known?.last ?? 0, last ?? 0) || null,
    })
  }
  return [...groups.values()].sort((a, b) => (b.last ?? 0) - (a.last ?? 0) || (a.key < b.key ? -1 : 1))
}

export async function projectCalled(store: Store, name: string): Promise<ProjectGroup> {
  const groups = await groupsOf(store, 'all')
  const wanted = folded(name)
  const remote = normalOrigin(name)
  const exact = groups.filter(({ key, name: shown }) => folded(key) === wanted || key === remote || folded(shown) === wanted)
  const found = exact.length > 0 ? exact : groups.filter(({ key, folders }) => [key, ...folders].some((path) => endsWith(path, wanted)))
  const [only, ...others] = found
  if (only === undefined)
    throw unknownValue({ filter: 'project', said: 'no project is called', values: [name], known: groups.map((group) => group.name) })
  if (others.length === 0) return only
  throw new MnemonicError('AMBIGUOUS_ID', `${JSON.stringify(redactVisible(name))} fits ${found.length} projects`, {
    hint: `Give the remote or the whole path: ${found
      .slice(0, 5)
      .map(({ key }) => redactVisible(key))
      .join(', ')}`,
  })
}

/** A merged project, or a folder joined by git evidence. */
export async function partCalled(store: Store, name: string): Promise<{ from: string; into: string } | undefined> {
  const wanted = folded(name)
  const { merged } = await projectDecisions(store.read)
  const own = [...merged].filter(([from]) => folded(from) === wanted || endsWith(from, wanted))
  const exact = own.filter(([from]) => folded(from) === wanted)
  const [pair, ...more] = exact.length > 0 ? exact : own
  if (pair !== undefined && more.length === 0) return { from: pair[0], into: pair[1] }
  if (pair !== undefined)
    throw new MnemonicError('AMBIGUOUS_ID', `${JSON.stringify(redactVisible(name))} fits ${more.length + 1} merged projects`, {
      hint: `Give the whole of one: ${[pair, ...more].map(([from]) => redactVisible(from)).join(', ')}`,
    })
  for (const { key, folders } of await groupsOf(store, 'all'))
    for (const folder of folders)
      if (folder !== key && (folded(folder) === wanted || endsWith(folder, wanted))) return { from: folder, into: key }
  return undefined
}

/** A filter by a merged name means its target. */
export function keysMergedFrom({ merged }: ProjectDecisions, isMeant: (from: string) => boolean): string[] {
  return [...merged.keys()].filter(isMeant).map((from) => standsFor(merged, from))
}

function endsWith(path: string, wanted: string): boolean {
  return wanted !== '' && folded(path).endsWith(`/${wanted}`)
}

function folded(path: string): string {
  return path.normalize('NFC').trim().toLowerCase().replaceAll('\\', '/').replace(/\/+$/, '')
}
