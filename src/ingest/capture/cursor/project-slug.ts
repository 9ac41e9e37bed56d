/** Only existing folders tell which dash in `~/.cursor/projects/<slug>` was a slash. Lists folders, opens no file. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEPTH = 24

export function folderOfSlug(slug: string, root = '/'): string | undefined {
  const parts = slug.split('-').filter((part) => part !== '')
  return parts.length < 2 ? undefined : below(root, parts, 0)
}

function below(folder: string, parts: readonly string[], depth: number): string | undefined {
  if (parts.length === 0) return folder
  if (depth > DEPTH) return undefined
  for (const name of foldersIn(folder)) {
    const own = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
    if (own.length === 0 || own.length > parts.length) continue
    if (own.some((part, n) => part.toLowerCase() !== parts[n]?.toLowerCase())) continue
    const found = below(join(folder, name), parts.slice(own.length), depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch {
    return []
  }
}
