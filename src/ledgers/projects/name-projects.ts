/** Writes what identify.ts found into the sessions that have it otherwise. Doing it again changes nothing. */
import { normalOrigin } from '../../core/git-origin.ts'
import { parseJson } from '../../core/nesting.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { identities } from './identify.ts'

const AT_ONCE = 500

export async function nameProjects(store: Store, guard: (tx: WriteTx) => Promise<void>): Promise<number> {
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'project', 'repository', 'repository_seen', 'project_name'])
    .where('project', 'is not', null)
    .execute()
  const origins = await originsSaid(store)
  const found = identities(
    rows.map(({ id, project, repository_seen }) => ({
      ...{ id, project: project as string },
      ...{ origin: origins.get(id), seen: repository_seen ?? undefined },
    })),
  )
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

/** The remotes that folders had when they were read (`git_origin`), and that sources name (`git_repository`). */
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
    if (error instanceof SyntaxError) return {} // JSON that an earlier version stored nested too deep
    throw error
  }
}
