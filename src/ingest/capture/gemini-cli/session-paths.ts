import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { sha256 } from '../../../core/hash.ts'
import type { UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { parseLine } from '../parse-line.ts'

export interface SessionNames {
  readonly stem: string
  /** From `chats/<session>/<subagent>.jsonl`. */
  readonly parent: string | undefined
  /** `tmp/<slug or hash of the project>`. */
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

/** Both files name the project's path; only newer versions write the marker. */
function projectFiles(projectFolder: string): { marker: string; registry: string; slug: string } {
  const registry = join(dirname(dirname(projectFolder)), 'projects.json')
  return { marker: join(projectFolder, '.project_root'), registry, slug: basename(projectFolder) }
}

export function isSessionPath(path: string): boolean {
  if (!/\.jsonl?$/i.test(path)) return false
  return dirname(path).split(sep).includes(CHATS) || /^session-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-/.test(basename(path))
}

const LONGEST = 1 << 20

/** Resolves a project hash. Never guesses. */
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
