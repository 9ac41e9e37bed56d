/** Every file that Mnemonic wrote into a workspace, by name and mark. What people wrote there is never in the list. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOMBSTONE_FILE } from '../../config/paths.ts'
import { namesIn } from '../../core/atomic-file.ts'
import { ARCHIVE_FOLDER, ARTIFACT_FOLDER, nameIn, parseArtifactPath } from './artifact-name.ts'
import { besidePath, isOurMemory, ledgerPath, memoryPath } from './memory-paths.ts'
import { isMoved } from './place-of.ts'

export interface PublishedFiles {
  /** Relative to the workspace root: summaries, transcripts, compactions, manifests, and the notes of transcripts that were moved. */
  readonly artifacts: readonly string[]
  /** MEMORY.md and the full list, of each agent. */
  readonly rendered: readonly string[]
  /** What keeps forgotten things from coming back, where there is such a file. */
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

/** The paths of all artifacts, the oldest first, then those of the archive. Other files there are not ours. */
export function artifactPaths(workspace: string): string[] {
  const archived = new Set(namesIn(join(workspace, ARCHIVE_FOLDER)))
  return namedPaths(workspace).filter((path) => !archived.has(nameIn(path)) || !isMoved(workspace, path))
}

/** With what stands where a transcript was before it was archived. */
function namedPaths(workspace: string): string[] {
  return [ARTIFACT_FOLDER, ARCHIVE_FOLDER].flatMap((folder) =>
    namesIn(join(workspace, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => parseArtifactPath(path) !== undefined)
      .sort(),
  )
}
