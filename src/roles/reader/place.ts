/** Where a prompt is typed: the project of the folder, as memory knows it. Looks at the folder, and reads only. */
import { projectKeysAt } from '../../ingest/project-called.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { KnownProject } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'

export interface Place {
  /** What the sessions of the project have in common; undefined where memory knows no session of it. */
  readonly scope: ProjectScope | undefined
  readonly name: string | null
  /** All others. */
  readonly others: readonly KnownProject[]
}

export async function placeAt(store: Store, agentId: string, folder: string | undefined): Promise<Place> {
  const projects = await store.reader.projects(agentId)
  const keys = folder === undefined ? new Set<string>() : await projectKeysAt(store, folder)
  const isHere = ({ project, repository }: KnownProject) => keys.has(repository ?? project ?? '')
  const here = projects.filter(isHere)
  return {
    scope: here.length === 0 ? undefined : scopeOf(here),
    name: here.find(({ project_name }) => project_name !== null)?.project_name ?? null,
    others: projects.filter((project) => !isHere(project)),
  }
}

export function scopeOf(projects: readonly KnownProject[]): ProjectScope {
  return { keys: [...new Set(projects.flatMap(({ project, repository }) => repository ?? project ?? []))], folders: [], ids: [] }
}
