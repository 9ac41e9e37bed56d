/** The only remover of artifacts. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, syncFolder } from '../../core/atomic-file.ts'
import type { Store } from '../../store/store.ts'
import { ARCHIVE_FOLDER, ARTIFACT_FOLDER } from '../format/artifact-name.ts'

export interface RemovedSession {
  readonly sessionId: string
  readonly token: string
}

/** Also removes temporary and replaced files. */
export async function removeSessionSet(
  { store, workspace }: { store: Store; workspace: string },
  { sessionId, token }: RemovedSession,
): Promise<string[]> {
  return store.write(async (tx) => {
    await tx.db.deleteFrom('artifact_journal').where('session_token', '=', token).execute()
    await tx.db
      .deleteFrom('artifacts')
      .where((eb) => eb.or([eb('session_token', '=', token), eb('session_id', '=', sessionId)]))
      .execute()
    await tx.db
      .deleteFrom('documents')
      .where((eb) => eb.or([eb('session_token', '=', token), eb('session_id', '=', sessionId)]))
      .execute()
    // Under the write lock: publishing rechecks the ledger before it renames.
    const removed: string[] = []
    for (const folder of [ARTIFACT_FOLDER, ARCHIVE_FOLDER]) {
      const names = namesIn(join(workspace, folder)).filter((name) => name.includes(`--${token}--`))
      for (const name of names.sort()) rmSync(join(workspace, folder, name), { force: true })
      if (names.length > 0) syncFolder(join(workspace, folder))
      removed.push(...names.map((name) => `${folder}/${name}`))
    }
    return removed
  })
}

/** Accepts only paths from `publishedFiles`. */
export function removePublished(workspace: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(workspace, path), { force: true })
}
