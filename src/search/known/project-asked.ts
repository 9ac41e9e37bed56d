/** Projects that a question names, by name or as "we" in their folder. */
import { foldedName } from '../../graph/folded-name.ts'
import type { KnownProject, NamedThing } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import { namesWritten } from './may-name.ts'
import { asksForProject } from './owner-asked.ts'

export interface ProjectsRequest {
  readonly agentId: string
  readonly text: string
  readonly here?: string | null | undefined
}

/** The graph names a project by folder or repository; people use the last part. */
export async function projectsAsked(store: Store, { agentId, text, here }: ProjectsRequest): Promise<NamedThing[]> {
  const isOurs = asksForProject(text) && here != null
  const names = new Set(namesWritten(text).map((name) => name.toLowerCase()))
  if (!isOurs && names.size === 0) return []
  const projects = await store.reader.projects(agentId)
  const called = new Map<string, string>()
  for (const project of projects) {
    const name = nameOf(project)
    const isMeant = names.has(name.toLowerCase()) || (isOurs && name === here)
    if (isMeant) for (const key of keysOf(project)) called.set(foldedName(key), name)
  }
  if (called.size === 0) return []
  const found = await store.reader.entities(agentId, [...called.keys()])
  return found.filter(({ type }) => type === 'project').map((one) => ({ ...one, called: called.get(one.called) ?? one.called }))
}

function keysOf({ project, repository }: KnownProject): string[] {
  return [project, repository].filter((key) => key !== null)
}

function nameOf(known: KnownProject): string {
  return known.project_name ?? keysOf(known)[0]?.split(/[\\/]/).at(-1) ?? ''
}
