/** The sessions of a project, as a person names it: `.` and paths of this machine are looked at on the disk, everything else in the ledger. */
import { resolve } from 'node:path'
import { expandHome } from '../core/home-folder.ts'
import { findProject, keysOfFolder } from '../ledgers/projects/find-project.ts'
import type { ProjectScope } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import { projectLocator } from './project-of.ts'

export async function projectCalled(store: Store, name: string): Promise<ProjectScope> {
  const text = name.trim()
  const folder = folderNamed(text)
  if (folder === undefined) return findProject(store, text, undefined)
  return findProject(store, text === '.' ? '.' : folder, projectLocator()(folder))
}

/** The folder that is meant, where the words are a path; it need not be there. */
export function folderNamed(text: string): string | undefined {
  return /^(?:\.{1,2}|~)?[\\/]|^\.{1,2}$|^~$|^[A-Za-z]:[\\/]/.test(text) ? resolve(expandHome(text)) : undefined
}

/** What the sessions of the project that a folder belongs to have in common: its remote or its root. Empty where no session is of it. */
export async function projectKeysAt(store: Store, folder: string): Promise<ReadonlySet<string>> {
  return keysOfFolder(store, folder, projectLocator()(folder))
}
