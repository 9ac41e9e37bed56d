/** Names in a prompt that memory knows. */
import { foldedName } from '../../graph/folded-name.ts'
import { isStopWord } from '../../search/stop-words.ts'
import type { KnownProject, NamedThing } from '../../store/reader-rows.ts'
import type { Store } from '../../store/store.ts'
import type { NamesIn } from './names-in.ts'
import type { Place } from './place.ts'

export interface KnownNames {
  readonly codes: readonly string[]
  readonly tickets: readonly string[]
  readonly entities: readonly NamedThing[]
  readonly projects: readonly KnownProject[]
}

/** Shorter project names are words: `cli`, `app`. */
const SHORTEST_PROJECT = 4
/** Common folder names, which do not name a project in a prompt. */
const ANY_FOLDER =
  /^(?:agents?|apps?|archive|backend|blog|build|client|code|config|core|data|demos?|desktop|dev|docs?|documents|downloads|examples?|files?|frontend|home|library|local|main|memory|mobile|notes?|packages?|personal|playground|plugins?|projects?|public|repo|repos|repository|samples?|scratch|scripts?|server|service|session|shared|site|source|temp|tests?|testing|tools?|users?|website|work|workspace|worktree)$/
export async function knownNames(store: Store, agentId: string, { names, place }: { names: NamesIn; place: Place }): Promise<KnownNames> {
  const held = async (name: string) => {
    const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')
    return words.length === 0 ? 0 : store.lexical.documentFrequency({ words })
  }
  const known = async (all: readonly string[]) => {
    const found: string[] = []
    for (const name of all) if ((await held(name)) > 0) found.push(name)
    return found
  }
  const spoken = names.spoken.filter((name) => mayName(name))
  const entities = spoken.length === 0 ? [] : await store.reader.entities(agentId, [...new Set(spoken.map(foldedName))])
  const written = new Map(spoken.map((name) => [foldedName(name), name]))
  return {
    codes: await known(names.codes),
    tickets: await known(names.tickets),
    entities: entities.filter(({ type, called, name }) => counts(type, written.get(called) ?? name, name)),
    projects: place.others.filter((project) => isNamed(project, names.spoken)),
  }
}

function mayName(name: string): boolean {
  const words = name.split(' ')
  return !isStopWord(words[0] ?? '') && !isStopWord(words.at(-1) ?? '') && name.length > 2
}

/** A lower-case name must have several words. Projects, documents and files are matched elsewhere. */
function counts(type: string, written: string, name: string): boolean {
  if (type === 'project' || type === 'document' || type === 'file') return false
  return /^\p{Lu}/u.test(written) || (written.includes(' ') && written === name.toLowerCase())
}

function isNamed({ project_name, project }: KnownProject, spoken: readonly string[]): boolean {
  const own = project_name ?? project?.split(/[\\/]/).at(-1) ?? ''
  const forms = [own, own.split('/').at(-1) ?? '']
    .map((form) => form.toLowerCase())
    .filter((form) => form.length >= SHORTEST_PROJECT && !ANY_FOLDER.test(form))
  return spoken.some((name) => forms.includes(name.toLowerCase()) && !isStopWord(name))
}
