/** Which paths a glob names. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A glob that does not begin at a root names the end of a path: `explain.go`, `store/*.ts`. One that ends with a slash names everything below
 * that folder. A path that is written as it is, brackets included, is always meant by itself. Case does not matter.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  // Loaded by the searches that ask for files: most do not.
  const picomatch = require('picomatch') as typeof import('picomatch')
  const wanted = slashes(glob.trim())
  const literal = wanted.toLowerCase()
  const pattern = wanted.endsWith('/') ? `${wanted}**` : wanted
  const rooted = /^(?:\/|~\/|[A-Za-z]:\/|\*\*(?:\/|$))/.test(pattern)
  const matches = picomatch(rooted ? pattern : `{**/,}${pattern}`, { dot: true, nocase: true })
  return (path) => {
    const name = slashes(path)
    const folded = name.toLowerCase()
    return folded === literal || folded.endsWith(`/${literal}`) || matches(name)
  }
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '')
}
