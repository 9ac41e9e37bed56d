/** Where a session's one manifest lies: as the database says, else as the folder says. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import { ARTIFACT_FOLDER, artifactPath, parseArtifactName } from './artifact-name.ts'

/** Its path, or the one it will have: that of the session's first set. */
export async function findManifest(
  { store, workspace }: { store: Store; workspace: string },
  { token, capturedAt }: { token: string; capturedAt: number },
): Promise<string> {
  const row = await store.read
    .selectFrom('artifacts')
    .select('source_path')
    .where('session_token', '=', token)
    .where('source_kind', '=', 'manifest')
    .executeTakeFirst()
  if (row !== undefined && existsSync(join(workspace, row.source_path))) return row.source_path
  const name = artifactNames(workspace).find((file) => file.includes(`--${token}--manifest.md`))
  return name === undefined ? artifactPath({ capturedAt, token, kind: 'manifest' }) : `${ARTIFACT_FOLDER}/${name}`
}

/** The names of all artifacts in the folder, the oldest first. Other files there are not ours. */
export function artifactNames(workspace: string): string[] {
  const folder = join(workspace, ARTIFACT_FOLDER)
  if (!existsSync(folder)) return []
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    throw new MnemonicError('STORAGE_ERROR', `cannot list ${folder}: ${(error as NodeJS.ErrnoException).code}`, {
      details: { path: folder },
      hint: 'It must be a folder of yours: move away what stands in its place.',
      cause: error,
    })
  }
  return names.filter((name) => parseArtifactName(name) !== undefined).sort()
}
