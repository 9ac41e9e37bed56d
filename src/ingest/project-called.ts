/** Resolves a project as typed: `.` and paths on disk, anything else in the ledger. */
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

export function folderNamed(text: string): string | undefined {
  return /^(?:\.{1,2}|~)?[\\/]|^\.{1,2}$|^~$|^[A-Za-z]:[\\/]/.test(text) ? resolve(expandHome(text)) : undefined
}

/** Remote or root of the folder's project. Empty if no session belongs to it. */
export async function projectKeysAt(store: Store, folder: string): Promise<ReadonlySet<string>> {
  return keysOfFolder(store, folder, projectLocator()(folder))
}
