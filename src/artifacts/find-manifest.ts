/** Where a session's one manifest lies: as the database says, else as the folder says. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { ARTIFACT_FOLDER, artifactPath, parseArtifactName } from './artifact-name.ts'
import { namesIn } from './atomic-file.ts'
import { sessionToken, type TokenSeed } from './session-token.ts'

/** Its path; undefined where the session was never published. */
export async function findManifest(
  { db, workspace }: { db: Store['read']; workspace: string },
  session: TokenSeed,
): Promise<string | undefined> {
  const token = sessionToken(session)
  const row = await db
    .selectFrom('artifacts')
    .select('source_path')
    .where('agent_id', '=', session.agentId)
    .where('session_id', '=', session.sessionId)
    .where('session_token', '=', token)
    .where('source_kind', '=', 'manifest')
    .executeTakeFirst()
  if (row !== undefined && existsSync(join(workspace, row.source_path))) return row.source_path
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
  const token = sessionToken(session)
  const named = await place.db
    .selectFrom('artifacts')
    .select('manifest_path')
    .where('agent_id', '=', session.agentId)
    .where('session_id', '=', session.sessionId)
    .where('session_token', '=', token)
    .where('manifest_path', 'is not', null)
    .orderBy('captured_at', 'desc')
    .executeTakeFirst()
  return named?.manifest_path ?? artifactPath({ capturedAt, token, kind: 'manifest' })
}

/** The names of all artifacts in the folder, the oldest first. Other files there are not ours. */
export function artifactNames(workspace: string): string[] {
  return namesIn(join(workspace, ARTIFACT_FOLDER))
    .filter((name) => parseArtifactName(name) !== undefined)
    .sort()
}
