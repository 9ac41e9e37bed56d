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
  /** The memory changed since, or the subject is gone. */
  readonly stale: boolean
  readonly edited: boolean
}

export function nameFor({ kind, subject, title }: Dossier): string {
  if (kind === 'entity') return dossierName(title)
  if (kind === 'project-how-to') return dossierName(subject)
  if (kind === 'how-to') return `${dossierName(title.replace(/^How to: /, ''), 'how-to-')}-${dossierName(subject).slice(-8)}`
  return dossierName(subject, `${kind}-`)
}

/** Two people may share a name. */
function apartFrom(dossier: Dossier): string {
  return `${nameFor(dossier)}-${shortHash(8, dossier.subject)}`
}

/** Skips unchanged files. Overwrites edited ones only with `force`. */
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

/** Undefined if the subject is gone. */
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
    if (asMnemonicError(error).code === 'USAGE') return undefined
    throw error
  }
}

/** The owner typed topic and project names, so they may contain the forgotten text. */
function isOfNothing(dossier: Dossier, holds: ((text: string) => boolean) | undefined): boolean {
  return countOf(dossier) === 0 || holds?.(dossier.subject) === true || holds?.(dossier.title) === true
}

/**
 * After a forget: rebuilds stale dossiers and removes empty ones. Removes edited files and copies with the forgotten text (if unknown:
 * stale ones). Returns removed paths.
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
      // Only --force backups are ours; the scan reports other files.
      if (path.endsWith('.bak') && (holds?.(text) ?? true)) remove(path)
      continue
    }
    const remade = await remake(store, head, now)
    const moved = remade === undefined || basisOf(remade) !== head.basis
    const again = remade === undefined || (moved && isOfNothing(remade, holds)) ? undefined : remade
    if (again === undefined || (head.edited ? (holds?.(text) ?? moved) : path.endsWith('.new.md') && moved)) remove(path)
    else if (!head.edited && moved) {
      const name = path.slice(path.indexOf('/') + 1, -'.md'.length)
      // The file name may contain the forgotten text.
      if (name === nameFor(again) || name === apartFrom(again)) writeDossier(workspace, name, again)
      else remove(path)
    }
  }
  return removed
}
