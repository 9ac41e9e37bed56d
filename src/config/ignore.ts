/** If in doubt a pattern matches: an ignored session can be read later, but reading cannot be undone. */
import { homedir as systemHomedir } from 'node:os'
import picomatch from 'picomatch'
import { expandHome } from './paths.ts'

export interface IgnoreOptions {
  readonly homedir?: string | undefined
  readonly platform?: NodeJS.Platform | undefined
}

/**
 * Matches the project and every folder below it. A pattern without a slash matches any folder name on the path. An unrooted pattern with a
 * slash matches the end of a path.
 */
export function ignoreMatcher(patterns: readonly string[], options: IgnoreOptions = {}): (project: string) => boolean {
  const homedir = options.homedir ?? systemHomedir()
  const platform = options.platform ?? process.platform
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
  // Escaped: the home folder's name may contain glob characters.
  const expanded = slashed(inHome ? escapeGlob(slashed(homedir)) + pattern.slice(1) : pattern)
  const rooted = inHome || /^(?:\/|[A-Za-z]:\/|\*\*(?:\/|$))/.test(expanded)
  const matches = picomatch(rooted ? expanded : `**/${expanded}`, { dot: true, nocase })
  // Also compare verbatim: a folder's own name may contain brackets.
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

/** Forward slashes without a trailing one. Outside Windows paths a backslash is an escape and stays. */
function slashed(path: string): string {
  const forward = /^(?:[A-Za-z]:\\|\\\\)/.test(path) ? path.replace(/\\/g, '/') : path
  return forward.length > 1 ? forward.replace(/\/+$/, '') || '/' : forward
}

function withParents(folder: string): string[] {
  const folders = [folder]
  for (let end = folder.lastIndexOf('/'); end > 0; end = folder.lastIndexOf('/', end - 1)) folders.push(folder.slice(0, end))
  return folders
}

/** Case-insensitive. Also matches the pattern verbatim, so glob characters in a name work. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const written = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '')
  const literals = new Set(written.map((pattern) => pattern.toLowerCase()))
  const matchers = written.map((pattern) => picomatch(pattern, { nocase: true, dot: true, bash: true }))
  return (name) => name !== '' && (literals.has(name.toLowerCase()) || matchers.some((matches) => matches(name)))
}
