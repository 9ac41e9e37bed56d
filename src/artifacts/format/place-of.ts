/** Where the file of an artifact is now: as it was published, else in the archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { archivedPath, publishedPath } from './artifact-name.ts'

/** The path as it was published where the file is in neither folder. */
export function placeOf(workspace: string, path: string): string {
  const published = publishedPath(path)
  const archived = archivedPath(path)
  return !existsSync(join(workspace, published)) && existsSync(join(workspace, archived)) ? archived : published
}
