/** Which paths a glob names. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A glob that does not begin at a root names the end of a path: `explain.go`, `store/*.ts`. The path of a folder, or the end of it, names
 * everything below that folder, with a slash at its end or without. A path that is written as it is, brackets included, is always meant by
 * itself. Case does not matter.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  // Loaded by the searches that ask for files: most do not.
  const picomatch = require('picomatch') as typeof import('picomatch')
  const wanted = slashes(glob.trim())
  const literal = wanted.toLowerCase()
  const folder = `${literal.replace(/\/+$/, '')}/`
  const pattern = wanted.endsWith('/') ? `${wanted}**` : wanted
  const rooted = /^(?:\/|~\/|[A-Za-z]:\/|\*\*(?:\/|$))/.test(pattern)
  const matches = picomatch(rooted ? pattern : `{**/,}${pattern}`, { dot: true, nocase: true })
  return (path) => {
    const name = slashes(path)
    const folded = name.toLowerCase()
    if (folded === literal || folded.endsWith(`/${literal}`)) return true
    return matches(name) || (folder !== '/' && (folded.startsWith(folder) || folded.includes(`/${folder}`)))
  }
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '')
}
