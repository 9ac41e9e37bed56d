/** The sessions of a project, as a person names it: `.` and paths of this machine are looked at on the disk, everything else in the ledger. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { findProject, keysOfFolder } from '../ledgers/projects/find-project.ts'
import type { ProjectScope } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import { projectLocator } from './project-of.ts'

export async function projectCalled(store: Store, name: string): Promise<ProjectScope> {
  const text = name.trim()
  const isPath = /^(?:\.{1,2}|~)?[\\/]|^\.{1,2}$|^~$|^[A-Za-z]:[\\/]/.test(text)
  if (!isPath) return findProject(store, text, undefined)
  const path = text.startsWith('~') ? join(homedir(), text.slice(1)) : resolve(text)
  return findProject(store, text === '.' ? '.' : path, projectLocator()(path))
}

/** What the sessions of the project that a folder belongs to have in common: its remote or its root. Empty where no session is of it. */
export async function projectKeysAt(store: Store, folder: string): Promise<ReadonlySet<string>> {
  return keysOfFolder(store, folder, projectLocator()(folder))
}
