/** Detects forgotten files that came back. Compares names only: cheap enough for every sync. */
import { join } from 'node:path'
import { namesIn, readText } from '../../core/atomic-file.ts'
import { plural } from '../../core/text.ts'
import type { Store } from '../../store/store.ts'
import { ARCHIVE_FOLDER, ARTIFACT_FOLDER, parseArtifactPath } from '../format/artifact-name.ts'
import { publishedFiles } from '../format/published-files.ts'

export async function putBackWarnings({ store, workspace }: { readonly store: Store; readonly workspace: string }): Promise<string[]> {
  const paths = await putBackPaths(store, workspace)
  if (paths.length === 0) return []
  const are = paths.length === 1 ? 'is' : 'are'
  return [
    `${plural(paths.length, 'published file')} of what was forgotten ${are} in ${workspace} again (${paths[0]}): mnemonic memory recover removes them`,
  ]
}

async function putBackPaths(store: Store, workspace: string): Promise<string[]> {
  const isGone = await forgottenPaths(store)
  return [ARTIFACT_FOLDER, ARCHIVE_FOLDER].flatMap((folder) =>
    namesIn(join(workspace, folder))
      .map((name) => `${folder}/${name}`)
      .filter(isGone),
  )
}

/** An old copy of MEMORY.md may name forgotten files. */
export async function listsOfForgotten(store: Store, workspace: string): Promise<string[]> {
  const isGone = await forgottenPaths(store)
  return publishedFiles(workspace).rendered.filter((path) =>
    [...(readText(join(workspace, path)) ?? '').matchAll(ARTIFACT)].some(([target]) => isGone(`${target}.md`)),
  )
}

const ARTIFACT = /memory\/(?:archive\/)?[\w.-]+--\w+--[a-z]+/g

async function forgottenPaths(store: Store): Promise<(path: string) => boolean> {
  const forgotten = await store.read.selectFrom('tombstones').select(['kind', 'session_token', 'removed_paths']).distinct().execute()
  const sessions = new Set(forgotten.filter(({ kind }) => kind === 'session').map(({ session_token }) => session_token))
  const removed = new Set(forgotten.flatMap(({ removed_paths }) => JSON.parse(removed_paths) as string[]))
  const rows = removed.size === 0 ? [] : await store.read.selectFrom('artifacts').select('source_path').execute()
  // A remaining session may reuse old names.
  for (const { source_path } of rows) removed.delete(source_path)
  return (path) => {
    const token = parseArtifactPath(path)?.token
    return token !== undefined && (sessions.has(token) || removed.has(path))
  }
}
