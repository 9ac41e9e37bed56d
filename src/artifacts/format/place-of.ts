/** Where the file of an artifact is now: as it was published, else in the archive. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '../../core/atomic-file.ts'
import { archivedPath, publishedPath } from './artifact-name.ts'
import { wikilink } from './wikilink.ts'

const MOVED = '<!-- mnemonic:moved v1 -->'

/** What stands where a transcript was before it was archived: published files link there, and never change. */
export function movedText(archived: string): string {
  return `${MOVED}\nThis transcript was moved into the archive: ${wikilink(archived, 'transcript')}.\n`
}

/** Whether only the note is there that a transcript was moved: no artifact, and never indexed. */
export function isMoved(workspace: string, path: string): boolean {
  return path === publishedPath(path) && isNote(workspace, path)
}

function isNote(workspace: string, path: string): boolean {
  return readText(join(workspace, path))?.startsWith(MOVED) ?? false
}

/** The path as it was published where the file is in neither folder. */
export function placeOf(workspace: string, path: string): string {
  const published = publishedPath(path)
  const archived = archivedPath(path)
  if (!existsSync(join(workspace, archived))) return published
  return existsSync(join(workspace, published)) && !isNote(workspace, published) ? published : archived
}
