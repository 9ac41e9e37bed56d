/** What the path of a session's file says: which session it is, and which folder its project is, where a file on this machine still names that. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { sha256 } from '../../../core/hash.ts'
import type { UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { parseLine } from '../parse-line.ts'

export interface SessionNames {
  readonly stem: string
  /** `chats/<session>/<subagent>.jsonl`: the session that started this one. */
  readonly parent: string | undefined
  /** `tmp/<slug or hash of the project>`; undefined where the file is elsewhere. */
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
function projectFiles(projectFolder: string): { marker: string; registry: string; slug: string } {
  const registry = join(dirname(dirname(projectFolder)), 'projects.json')
  return { marker: join(projectFolder, '.project_root'), registry, slug: basename(projectFolder) }
}

/** Whether a file is where sessions are, or has the name of one. */
export function isSessionPath(path: string): boolean {
  if (!/\.jsonl?$/i.test(path)) return false
  return dirname(path).split(sep).includes(CHATS) || /^session-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-/.test(basename(path))
}

/** The list of projects is a few KB; more than this is something else. */
const LONGEST = 1 << 20

/** The folder that a project's hash stands for. Never guesses. */
export async function projectOf(header: Fields, projectFolder: string | undefined, reader: UnitReader): Promise<string | undefined> {
  const hash = textOf(header.projectHash)
  const directories = (Array.isArray(header.directories) ? header.directories : []).filter((one): one is string => typeof one === 'string')
  const own = directories.find((folder) => sha256(folder) === hash)
  if (own !== undefined || projectFolder === undefined) return own
  const { marker, registry, slug } = projectFiles(projectFolder)
  const marked = (await textIn(marker, reader)).trim()
  if (marked !== '') return marked
  const known = fieldsOf(fieldsOf(parseLine(await textIn(registry, reader)).values[0])?.projects) ?? {}
  return Object.keys(known).find((path) => known[path] === slug || sha256(path) === hash)
}

async function textIn(path: string, reader: UnitReader): Promise<string> {
  return existsSync(path) ? (await reader.slice(path, 0, LONGEST)).toString('utf8') : ''
}
