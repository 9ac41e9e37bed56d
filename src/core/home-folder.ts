/** Path of the home, without loading the configuration: hooks must be fast. */
import { homedir as systemHomedir } from 'node:os'
import { join, resolve } from 'node:path'

export const TRACE_FOLDER = 'hook-traces'

/** Option, environment, default; an empty value counts as unset. */
export function homeFolder(option: string | undefined, env: NodeJS.ProcessEnv = process.env, homedir: string = systemHomedir()): string {
  return firstPath([option, env.MNEMONIC_HOME, join(homedir, '.mnemonic')], homedir)
}

export function firstPath(candidates: readonly (string | undefined)[], homedir: string): string {
  const first = candidates.find((candidate) => candidate !== undefined && candidate.trim() !== '') ?? ''
  return resolve(expandHome(first.trim(), homedir))
}

/** Expands `~` and `~/…`, but not `~name`. */
export function expandHome(path: string, homedir: string = systemHomedir()): string {
  if (path === '~') return homedir
  return /^~[/\\]/.test(path) ? join(homedir, path.slice(2)) : path
}
