import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectLocator } from '../../ingest/project-of.ts'
import { keysOfFolder } from '../../ledgers/projects/find-project.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { KnownProject } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'

export interface Place {
  /** Undefined if memory has no session of the project. */
  readonly scope: ProjectScope | undefined
  readonly name: string | null
  /** Names under which statements for the project are stored, possibly before its first session. */
  readonly keys: readonly string[]
  readonly others: readonly KnownProject[]
}

export async function placeAt(store: Store, agentId: string, folder: string | undefined): Promise<Place> {
  const projects = await store.reader.projects(agentId)
  const here = folder === undefined ? undefined : projectLocator()(folder)
  const keys = folder === undefined ? new Set<string>() : await keysOfFolder(store, folder, here)
  const isHere = ({ project, repository }: KnownProject) => keys.has(repository ?? project ?? '')
  const own = projects.filter(isHere)
  return {
    scope: own.length === 0 ? undefined : scopeOf(own),
    name: own.find(({ project_name }) => project_name !== null)?.project_name ?? null,
    keys: [...new Set([...keys, ...[here?.origin, here?.project].filter((key) => key !== undefined)])],
    others: projects.filter((project) => !isHere(project)),
  }
}

export async function isProject(store: Store, agentId: string, folder: string): Promise<boolean> {
  const root = projectLocator()(folder)?.project
  if (root !== undefined && existsSync(join(root, '.git'))) return true
  return (await placeAt(store, agentId, folder)).scope !== undefined
}

export function scopeOf(projects: readonly KnownProject[]): ProjectScope {
  return { keys: [...new Set(projects.flatMap(({ project, repository }) => repository ?? project ?? []))], folders: [], ids: [] }
}
