/** Finds the folder that a project's hash stands for, where something on this machine still tells it. Never guesses. */
import { existsSync } from 'node:fs'
import { sha256 } from '../../../core/hash.ts'
import type { UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { parseLine } from '../parse-line.ts'
import { projectFiles } from './session-names.ts'

/** The list of projects is a few KB; more than this is something else. */
const LONGEST = 1 << 20

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
