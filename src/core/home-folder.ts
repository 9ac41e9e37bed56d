/** Where the home is. Only computes a path: what must be quick asks it without loading the configuration. */
import { homedir as systemHomedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Below the home: what hooks could not queue. */
export const TRACE_FOLDER = 'hook-traces'

/** Option, then environment, then default; an empty value counts as unset. */
export function homeFolder(option: string | undefined, env: NodeJS.ProcessEnv = process.env, homedir: string = systemHomedir()): string {
  return firstPath([option, env.MNEMONIC_HOME, join(homedir, '.mnemonic')], homedir)
}

/** The first that is set, absolute. */
export function firstPath(candidates: readonly (string | undefined)[], homedir: string): string {
  const first = candidates.find((candidate) => candidate !== undefined && candidate.trim() !== '') ?? ''
  return resolve(expandHome(first.trim(), homedir))
}

/** `~` and `~/…` as the home folder; everything else, also `~name`, unchanged. */
export function expandHome(path: string, homedir: string = systemHomedir()): string {
  if (path === '~') return homedir
  return /^~[/\\]/.test(path) ? join(homedir, path.slice(2)) : path
}
