/** Dossiers: makes one, lists those that are there with whether they still say what the memory says, and keeps them true when something is forgotten. */
import { asMnemonicError } from '../../core/error.ts'
import { shortHash } from '../../core/hash.ts'
import type { Store } from '../../store/store.ts'
import { countOf, type Dossier } from './cited.ts'
import { dossierFiles, everyFile, folderFor, removeDossier, type WrittenDossier, writeDossier } from './dossier-files.ts'
import { dossierName } from './dossier-name.ts'
import { entityDossier } from './entity-dossier.ts'
import { howTo } from './how-to.ts'
import { projectDossier, topicDossier } from './project-dossier.ts'
import { projectHowTo } from './project-how-to.ts'
import { basisOf, type DossierHead, headOf } from './render-dossier.ts'

export interface DossiersOptions {
  readonly store: Store
  readonly workspace: string
  readonly now: number
}

export interface ListedDossier {
  /** Relative to the workspace. */
  readonly path: string
  readonly kind: string
  readonly subject: string
  readonly agent: string
  /** The memory has moved on since it was made, or no longer knows the subject. */
  readonly stale: boolean
  readonly edited: boolean
}

/** The name of the file. A how-to stands apart from the dossier of what it is about. */
export function nameFor({ kind, subject, title }: Dossier): string {
  if (kind === 'entity') return dossierName(title)
  if (kind === 'project-how-to') return dossierName(subject)
  if (kind === 'how-to') return `${dossierName(title.replace(/^How to: /, ''), 'how-to-')}-${dossierName(subject).slice(-8)}`
  return dossierName(subject, `${kind}-`)
}

/** Where another one has the name already: two people may be called the same. */
function apartFrom(dossier: Dossier): string {
  return `${nameFor(dossier)}-${shortHash(8, dossier.subject)}`
}

/** Writes it, or leaves what is there as it is where that says the same. What a person edited is never overwritten, unless `force` is given. */
export function keepDossier(workspace: string, dossier: Dossier, { force = false } = {}): WrittenDossier {
  const name = nameFor(dossier)
  const there = dossierFiles(workspace).find(({ path }) => path === `${folderFor(dossier.kind)}/${name}.md`)
  const other = there === undefined ? undefined : headOf(there.text)
  const isAnother = other !== undefined && (other.subject !== dossier.subject || other.agent !== dossier.agentId)
  return writeDossier(workspace, isAnother ? apartFrom(dossier) : name, dossier, { force })
}

export async function listDossiers({ store, workspace, now }: DossiersOptions): Promise<ListedDossier[]> {
  const listed: ListedDossier[] = []
  for (const { path, text } of dossierFiles(workspace)) {
    const head = headOf(text)
    if (head === undefined) continue
    const again = await remake(store, head, now)
    const { kind, subject, agent, edited } = head
    listed.push({ path, kind, subject, agent, stale: again === undefined || basisOf(again) !== head.basis, edited })
  }
  return listed
}

/** The dossier that a file is, as the memory has it now; undefined where its subject is gone. */
async function remake(store: Store, { kind, subject, agent: agentId }: DossierHead, now: number): Promise<Dossier | undefined> {
  if (kind === 'entity') {
    const entity = await store.read.selectFrom('entities').select('id').where('id', '=', subject).executeTakeFirst()
    return entity === undefined ? undefined : entityDossier(store, subject, { agentId, now })
  }
  if (kind === 'topic') return topicDossier(store, subject, { agentId })
  if (kind === 'how-to') {
    const [session = '', ...words] = subject.split(' ')
    return howTo(store, session, { words, agentId })
  }
  if (kind !== 'project' && kind !== 'project-how-to') return undefined
  const { findProject } = await import('../../ledgers/projects/find-project.ts')
  try {
    const scope = { ...(await findProject(store, subject, undefined)), agentId }
    return kind === 'project' ? await projectDossier(store, subject, scope) : await projectHowTo(store, subject, scope)
  } catch (error) {
    // No session is of the project any more.
    if (asMnemonicError(error).code === 'USAGE') return undefined
    throw error
  }
}

/** Nothing is left to say, or its name is what is forgotten: a topic and a project are called as somebody typed them. */
function isOfNothing(dossier: Dossier, holds: ((text: string) => boolean) | undefined): boolean {
  return countOf(dossier) === 0 || holds?.(dossier.subject) === true || holds?.(dossier.title) === true
}

/**
 * After a forgetting: what was made from something that is gone is made again, or removed with its subject. What a person edited, and copies, are
 * removed where they hold the forgotten text; where that is not known, where the memory has moved on since. Gives the paths that were removed.
 */
export async function forgetInDossiers(options: DossiersOptions, holds: ((text: string) => boolean) | undefined): Promise<string[]> {
  const { store, workspace, now } = options
  const removed: string[] = []
  const remove = (path: string) => {
    removeDossier(workspace, path)
    removed.push(path)
  }
  for (const { path, text } of everyFile(workspace)) {
    const head = headOf(text)
    if (head === undefined) {
      // A copy that --force kept is ours; any other file of the folder is a person's own, and is listed by the scan.
      if (path.endsWith('.bak') && (holds?.(text) ?? true)) remove(path)
      continue
    }
    const remade = await remake(store, head, now)
    const moved = remade === undefined || basisOf(remade) !== head.basis
    const again = remade === undefined || (moved && isOfNothing(remade, holds)) ? undefined : remade
    if (again === undefined || (head.edited ? (holds?.(text) ?? moved) : path.endsWith('.new.md') && moved)) remove(path)
    else if (!head.edited && moved) {
      const name = path.slice(path.indexOf('/') + 1, -'.md'.length)
      // Its name may be what is forgotten.
      if (name === nameFor(again) || name === apartFrom(again)) writeDossier(workspace, name, again)
      else remove(path)
    }
  }
  return removed
}
