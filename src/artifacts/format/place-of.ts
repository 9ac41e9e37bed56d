import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '../../core/atomic-file.ts'
import { archivedPath, publishedPath } from './artifact-name.ts'
import { wikilink } from './wikilink.ts'

const MOVED = '<!-- mnemonic:moved v1 -->'

/** Published links to the old path must work, so a placeholder stays there. */
export function movedText(archived: string): string {
  return `${MOVED}\nThis transcript was moved into the archive: ${wikilink(archived, 'transcript')}.\n`
}

/** Only the placeholder is there: never indexed. */
export function isMoved(workspace: string, path: string): boolean {
  return path === publishedPath(path) && isNote(workspace, path)
}

function isNote(workspace: string, path: string): boolean {
  return readText(join(workspace, path))?.startsWith(MOVED) ?? false
}

/** Returns the published path if neither file exists. */
export function placeOf(workspace: string, path: string): string {
  const published = publishedPath(path)
  const archived = archivedPath(path)
  if (!existsSync(join(workspace, archived))) return published
  return existsSync(join(workspace, published)) && !isNote(workspace, published) ? published : archived
}
