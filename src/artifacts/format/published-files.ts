/** Every file that Mnemonic wrote into a workspace, by name and mark; for uninstalling. What people wrote there is never in the list. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../core/atomic-file.ts'
import { TOMBSTONE_FILE } from '../../tombstones/tombstone-file.ts'
import { isOurMemory } from '../render/memory-md.ts'
import { ARTIFACT_FOLDER, parseArtifactName } from './artifact-name.ts'
import { besidePath, ledgerPath, memoryPath } from './memory-paths.ts'

export interface PublishedFiles {
  /** Relative to the workspace root: summaries, transcripts, compactions, manifests. */
  readonly artifacts: readonly string[]
  /** MEMORY.md and the full list, of each agent. */
  readonly rendered: readonly string[]
  /** What keeps forgotten things from coming back, where there is such a file. */
  readonly tombstones: string | undefined
}

export function publishedFiles(workspace: string): PublishedFiles {
  const names = namesIn(join(workspace, ARTIFACT_FOLDER)).filter((name) => parseArtifactName(name) !== undefined)
  const agents = [...new Set(['main', ...namesIn(join(workspace, 'agents'))])]
  const lists = agents.flatMap((agent) => [memoryPath(agent), ledgerPath(agent)]).flatMap((path) => [path, besidePath(path)])
  const ours = lists.filter((path) => existsSync(join(workspace, path)) && isOurMemory(readFileSync(join(workspace, path), 'utf8')))
  return {
    artifacts: names.sort().map((name) => `${ARTIFACT_FOLDER}/${name}`),
    rendered: ours.sort(),
    tombstones: existsSync(join(workspace, TOMBSTONE_FILE)) ? TOMBSTONE_FILE : undefined,
  }
}

/** Takes these files away; only what `publishedFiles` named. */
export function removePublished(workspace: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(workspace, path), { force: true })
}
