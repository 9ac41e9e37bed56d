/** Files win over rows. Never touches the ledger. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { pauseToStop } from '../../core/stopped.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'
import { isForgotten } from '../format/forgotten-file.ts'
import { isManifest } from '../format/frontmatter.ts'
import { readHead } from '../format/read-artifact.ts'
import { artifactRow, mirrorArtifact, putArtifactRow } from '../publish/artifact-rows.ts'
import { setIndexed } from '../publish/indexed-mark.ts'
import { forgottenIn } from './check-published.ts'
import { type ArtifactProblem, type CheckedArtifact, verifyArtifacts } from './verify.ts'

export interface ReindexContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly tombstones: TombstoneReader
  readonly agentId?: string
  readonly signal?: AbortSignal
}

export interface ReindexReport {
  readonly checked: number
  readonly repaired: number
  readonly removed: number
  /** Forgotten files, not indexed. */
  readonly fenced: number
  readonly problems: readonly ArtifactProblem[]
}

/** Others may write between batches. */
const AT_ONCE = 300

export async function reindexArtifacts(context: ReindexContext): Promise<ReindexReport> {
  const { store, workspace, agentId, signal } = context
  const { checked, sound, problems } = await verifyArtifacts(workspace, { isForgotten: await forgottenIn(context), signal })
  const ours = sound.filter(({ fields }) => agentId === undefined || fields.agent_id === agentId)
  let repaired = 0
  let fenced = problems.filter(({ kind }) => kind === 'forgotten').length
  const kept = new Set<string>()
  for (let at = 0; at < ours.length; at += AT_ONCE) {
    await pauseToStop(signal, 're-indexing')
    await store.write(async (tx) => {
      const tombstones = await context.tombstones(tx)
      for (const artifact of ours.slice(at, at + AT_ONCE)) {
        if (await isForgotten(tx.db, artifact, tombstones)) fenced += 1
        else {
          kept.add(artifact.path)
          if (await putRow(tx, context, artifact)) repaired += 1
        }
      }
    })
  }
  const removed = await removeRows(context, { kept, looked: new Set([...sound, ...problems].map(({ path }) => path)) })
  await setIndexed(store, workspace, agentId)
  return { checked, repaired, removed, fenced, problems }
}

async function putRow(tx: WriteTx, { workspace, clock }: ReindexContext, { path, fields, headSha256 }: CheckedArtifact): Promise<boolean> {
  // Only manifests may have changed since the check.
  const head = isManifest(fields) ? readHead(workspace, path) : { fields, sha256: headSha256 }
  if (head === undefined) return false
  await mirrorArtifact(tx, { workspace, path }, head.fields)
  return putArtifactRow(tx, artifactRow(head.fields, { path, headSha256: head.sha256, now: clock() }))
}

async function removeRows(
  { store, workspace, agentId }: ReindexContext,
  { kept, looked }: { kept: ReadonlySet<string>; looked: ReadonlySet<string> },
): Promise<number> {
  return store.write(async (tx) => {
    const rows = tx.db.selectFrom('artifacts').select('source_path')
    let removed = 0
    for (const { source_path } of await (agentId === undefined ? rows : rows.where('agent_id', '=', agentId)).execute()) {
      // Published after the check: keep.
      if (kept.has(source_path) || (!looked.has(source_path) && existsSync(join(workspace, source_path)))) continue
      await tx.db.deleteFrom('artifacts').where('source_path', '=', source_path).execute()
      removed += 1
    }
    return removed
  })
}
