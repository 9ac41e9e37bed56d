/** Recognises our files by name and marker. Never lists a person's. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOMBSTONE_FILE } from '../../config/paths.ts'
import { namesIn } from '../../core/atomic-file.ts'
import { ARCHIVE_FOLDER, ARTIFACT_FOLDER, nameIn, parseArtifactPath } from './artifact-name.ts'
import { besidePath, isOurMemory, ledgerPath, memoryPath } from './memory-paths.ts'
import { isMoved } from './place-of.ts'

export interface PublishedFiles {
  /** Relative to the workspace root; with placeholders of archived transcripts. */
  readonly artifacts: readonly string[]
  readonly rendered: readonly string[]
  readonly tombstones: string | undefined
}

export function publishedFiles(workspace: string): PublishedFiles {
  const agents = [...new Set(['main', ...namesIn(join(workspace, 'agents'))])]
  const lists = agents.flatMap((agent) => [memoryPath(agent), ledgerPath(agent)]).flatMap((path) => [path, besidePath(path)])
  const ours = lists.filter((path) => existsSync(join(workspace, path)) && isOurMemory(readFileSync(join(workspace, path), 'utf8')))
  return {
    artifacts: namedPaths(workspace),
    rendered: ours.sort(),
    tombstones: existsSync(join(workspace, TOMBSTONE_FILE)) ? TOMBSTONE_FILE : undefined,
  }
}

/** Oldest first, then the archive. */
export function artifactPaths(workspace: string): string[] {
  const archived = new Set(namesIn(join(workspace, ARCHIVE_FOLDER)))
  return namedPaths(workspace).filter((path) => !archived.has(nameIn(path)) || !isMoved(workspace, path))
}

function namedPaths(workspace: string): string[] {
  return [ARTIFACT_FOLDER, ARCHIVE_FOLDER].flatMap((folder) =>
    namesIn(join(workspace, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => parseArtifactPath(path) !== undefined)
      .sort(),
  )
}
