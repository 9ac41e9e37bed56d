/** Finds a file of an installed package, even if `exports` hides it. Loads nothing of the package. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export function packageFile(name: string, file: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')))
  if (found === undefined) throw new Error(`${name} is not installed`)
  return join(found, file)
}
