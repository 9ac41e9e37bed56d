/** Which projects never enter the ledger. In doubt a pattern matches: what was ignored can still be read later, but reading cannot be undone. */
import { homedir as systemHomedir } from 'node:os'
import picomatch from 'picomatch'
import { expandHome } from './paths.ts'

export interface IgnoreOptions {
  readonly homedir?: string | undefined
  readonly platform?: NodeJS.Platform | undefined
}

/**
 * True for a project that a pattern names, and for everything below it. `~` is the home folder. A pattern without a
 * slash names a folder anywhere on the path; one with a slash that does not begin at the root, the end of any path.
 */
export function ignoreMatcher(patterns: readonly string[], options: IgnoreOptions = {}): (project: string) => boolean {
  const homedir = options.homedir ?? systemHomedir()
  const platform = options.platform ?? process.platform
  // On these systems /Work and /work are the same folder.
  const nocase = platform === 'darwin' || platform === 'win32'
  const matchers = patterns.map((pattern) => folderMatcher(pattern.trim(), { homedir, nocase }))
  return (project) => {
    if (project === '' || matchers.length === 0) return false
    const folders = withParents(slashed(expandHome(project, homedir)))
    return matchers.some((matches) => folders.some(matches))
  }
}

function folderMatcher(pattern: string, { homedir, nocase }: { homedir: string; nocase: boolean }): (folder: string) => boolean {
  const inHome = /^~(?:[/\\]|$)/.test(pattern)
  // The name of the home folder is not a glob, whatever characters it contains.
  const expanded = slashed(inHome ? escapeGlob(slashed(homedir)) + pattern.slice(1) : pattern)
  const rooted = inHome || /^(?:\/|[A-Za-z]:\/|\*\*(?:\/|$))/.test(expanded)
  const matches = picomatch(rooted ? expanded : `**/${expanded}`, { dot: true, nocase })
  // A folder whose own name contains brackets, written as it is.
  const literal = nocase ? slashed(expandHome(pattern, homedir)).toLowerCase() : slashed(expandHome(pattern, homedir))
  return (folder) => {
    if (matches(folder)) return true
    const name = nocase ? folder.toLowerCase() : folder
    return name === literal || (!rooted && name.endsWith(`/${literal}`))
  }
}

function escapeGlob(path: string): string {
  return path.replace(/[\\$^*+?()[\]{}|!]/g, '\\$&')
}

/** Forward slashes, and none at the end. A backslash that is not part of a Windows path is an escape and stays. */
function slashed(path: string): string {
  const forward = /^(?:[A-Za-z]:\\|\\\\)/.test(path) ? path.replace(/\\/g, '/') : path
  return forward.length > 1 ? forward.replace(/\/+$/, '') || '/' : forward
}

/** The folder itself, then each one above it. */
function withParents(folder: string): string[] {
  const folders = [folder]
  for (let end = folder.lastIndexOf('/'); end > 0; end = folder.lastIndexOf('/', end - 1)) folders.push(folder.slice(0, end))
  return folders
}

/** True for a name that a pattern matches, in any letter case; `*` stands for anything. A name that is written as it is matches too. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const written = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '')
  const literals = new Set(written.map((pattern) => pattern.toLowerCase()))
  const matchers = written.map((pattern) => picomatch(pattern, { nocase: true, dot: true, bash: true }))
  return (name) => name !== '' && (literals.has(name.toLowerCase()) || matchers.some((matches) => matches(name)))
}
