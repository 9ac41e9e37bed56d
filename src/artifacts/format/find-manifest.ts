/** Where a session's one manifest lies: as the database says, else as the folder says. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../core/atomic-file.ts'
import type { Store } from '../../store/store.ts'
import { ARTIFACT_FOLDER, artifactPath, parseArtifactName } from './artifact-name.ts'
import { sessionToken, type TokenSeed } from './session-token.ts'

/** Its path; undefined where the session was never published. */
export async function findManifest(
  { db, workspace }: { db: Store['read']; workspace: string },
  session: TokenSeed,
): Promise<string | undefined> {
  const token = sessionToken(session)
  const rows = await rowsOf(db, session)
  const row = rows.find(({ source_path }) => source_path.endsWith('--manifest.md') && existsSync(join(workspace, source_path)))
  if (row !== undefined) return row.source_path
  const end = `--${token}--manifest.md`
  const name = namesIn(join(workspace, ARTIFACT_FOLDER)).find((file) => file.endsWith(end) && parseArtifactName(file) !== undefined)
  return name === undefined ? undefined : `${ARTIFACT_FOLDER}/${name}`
}

/** Its path, or the one it will have: as its other files name it, else that of its first set. */
export async function nameManifest(
  place: { db: Store['read']; workspace: string },
  session: TokenSeed,
  capturedAt: number,
): Promise<string> {
  const found = await findManifest(place, session)
  if (found !== undefined) return found
  const named = (await rowsOf(place.db, session)).find(({ manifest_path }) => manifest_path !== null)
  return named?.manifest_path ?? artifactPath({ capturedAt, token: sessionToken(session), kind: 'manifest' })
}

/** The rows of a session, the newest first: few, and found by their index. */
async function rowsOf(db: Store['read'], session: TokenSeed): Promise<{ source_path: string; manifest_path: string | null }[]> {
  const token = sessionToken(session)
  const rows = await db
    .selectFrom('artifacts')
    .select(['source_path', 'manifest_path', 'session_token', 'captured_at'])
    .where('agent_id', '=', session.agentId)
    .where('session_id', '=', session.sessionId)
    .execute()
  return rows.filter((row) => row.session_token === token).sort((a, b) => b.captured_at - a.captured_at)
}

/** The names of all artifacts in the folder, the oldest first. Other files there are not ours. */
export function artifactNames(workspace: string): string[] {
  return namesIn(join(workspace, ARTIFACT_FOLDER))
    .filter((name) => parseArtifactName(name) !== undefined)
    .sort()
}
