/** What the path of a session's file says: whose it is, and where its project is named. Pure: nothing is opened. */
import { basename, dirname, join, sep } from 'node:path'

export interface SessionNames {
  readonly stem: string
  /** `chats/<session>/<subagent>.jsonl`: the session that started this one. */
  readonly parent: string | undefined
  /** `tmp/<slug or hash of the project>`; undefined where the file lies elsewhere. */
  readonly projectFolder: string | undefined
}

const CHATS = 'chats'

export function sessionNames(path: string): SessionNames {
  const folders = dirname(path).split(sep)
  const at = folders.lastIndexOf(CHATS)
  return {
    stem: basename(path).replace(/\.jsonl?$/i, ''),
    parent: at > 0 ? folders[at + 1] : undefined,
    projectFolder: at > 0 ? folders.slice(0, at).join(sep) : undefined,
  }
}

/** The marker that newer versions leave in a project's folder, and the list of all projects: both name the project's path. */
export function projectFiles(projectFolder: string): { marker: string; registry: string; slug: string } {
  const registry = join(dirname(dirname(projectFolder)), 'projects.json')
  return { marker: join(projectFolder, '.project_root'), registry, slug: basename(projectFolder) }
}

/** Whether a file stands where sessions stand, or is called as they are. */
export function isSessionPath(path: string): boolean {
  if (!/\.jsonl?$/i.test(path)) return false
  return dirname(path).split(sep).includes(CHATS) || /^session-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-/.test(basename(path))
}
