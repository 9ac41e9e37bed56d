/** Idempotent. */
import { normalOrigin } from '../../core/git-origin.ts'
import { parseJson } from '../../core/nesting.ts'
import { padded } from '../../core/padded.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { foldersWithoutRemote, identities } from './identify.ts'
import { projectDecisions } from './project-decisions.ts'

const AT_ONCE = 500

export async function nameProjects(store: Store, guard: (tx: WriteTx) => Promise<void>): Promise<number> {
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'project', 'repository', 'repository_seen', 'project_name'])
    .where('project', 'is not', null)
    .execute()
  const origins = await originsSaid(store)
  const placed = rows.map(({ id, project, repository_seen }) => ({
    ...{ id, project: project as string },
    ...{ origin: origins.get(id), seen: repository_seen ?? undefined },
  }))
  const commits = await commitsOf(store, foldersWithoutRemote(placed))
  const found = identities(placed, { commits, decisions: await projectDecisions(store.read) })
  const changed = rows.flatMap((row) => {
    const now = found.get(row.id)
    return now === undefined || (now.repository === row.repository && now.project_name === row.project_name) ? [] : [{ id: row.id, ...now }]
  })
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    await store.write(async (tx) => {
      await guard(tx)
      const tombstones = await tombstonesOf(tx)
      const allowed = (value: string | null) => (value !== null && tombstones?.holds('value', value) ? null : value)
      for (const { id, repository, project_name } of changed.slice(at, at + AT_ONCE))
        await tx.db
          .updateTable('agent_sessions')
          .set({ repository: allowed(repository), project_name: allowed(project_name) })
          .where('id', '=', id)
          .execute()
    })
  }
  return changed.length
}

async function commitsOf(store: Store, folders: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  const commits = store.read
    .selectFrom('session_commits as c')
    .innerJoin('agent_sessions as s', 's.id', 'c.session_id')
    .select(['s.project', 'c.hash'])
    .distinct()
  const hashes = new Set<string>()
  for (let at = 0; at < folders.length; at += AT_ONCE)
    for (const { hash } of await commits.where('s.project', 'in', padded(folders.slice(at, at + AT_ONCE))).execute()) hashes.add(hash)
  const all = [...hashes]
  for (let at = 0; at < all.length; at += AT_ONCE)
    for (const { project, hash } of await commits.where('c.hash', 'in', padded(all.slice(at, at + AT_ONCE))).execute())
      if (project !== null) found.set(project, (found.get(project) ?? new Set()).add(hash))
  return found
}

/** `git_origin` from folders, `git_repository` from sources. */
async function originsSaid(store: Store): Promise<Map<string, string>> {
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'context_json'])
    .where((eb) => eb.or([eb('context_json', 'like', '%"git_origin"%'), eb('context_json', 'like', '%"git_repository"%')]))
    .execute()
  const origins = new Map<string, string>()
  for (const { id, context_json } of rows) {
    const { git_origin, git_repository } = contextOf(context_json)
    const said = typeof git_origin === 'string' ? git_origin : typeof git_repository === 'string' ? normalOrigin(git_repository) : undefined
    if (said !== undefined) origins.set(id, said)
  }
  return origins
}

function contextOf(json: string | null): Record<string, unknown> {
  try {
    const value = parseJson(json ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {} // deeper JSON than SQLite parses, stored by old versions
    throw error
  }
}
