/** Finishes what processes that died left behind: publications under way, and half-written files. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, notDone, removeLeftovers } from '../../core/atomic-file.ts'
import { ARTIFACT_FOLDER } from '../format/artifact-name.ts'
import { isBusy, journalKey, openPublications } from '../publish/journal.ts'
import { type PublishReport, publishAll } from '../publish/publish-all.ts'
import type { PublishContext } from '../publish/publish-context.ts'
import type { Rendered } from '../render/projection.ts'
import type { ReindexReport } from './reindex.ts'

export interface RecoverReport extends PublishReport {
  /** Publications that a process left unfinished. */
  readonly unfinished: number
  /** Half-written files that were removed. */
  readonly leftovers: number
  readonly reindexed: ReindexReport
  readonly rendered: readonly Rendered[]
}

/** Finishes publications under way and gives how many there were. One whose session is gone from the ledger is given up. */
export async function finishPublications(context: PublishContext, agentId?: string): Promise<PublishReport & { unfinished: number }> {
  const unfinished = (await openPublications(context.store, agentId)).filter((row) => !isBusy(row, context.clock()))
  const ended = new Set(unfinished.filter(({ flow }) => flow === 'session-end').map(({ session_id }) => session_id))
  // A compaction is published while its session has not ended: then only the compaction is finished.
  const compacted = [...new Set(unfinished.map(({ session_id }) => session_id))].filter((id) => !ended.has(id))
  const one = await publishAll(context, [...ended])
  const two = await publishAll(context, compacted, { compactionsOnly: true })
  const failed = [...one.failed, ...two.failed]
  const lost = unfinished.filter(({ session_id }) => !failed.some((failure) => failure.session_id === session_id))
  if (lost.length > 0) {
    await context.store.write((tx) => tx.db.deleteFrom('artifact_journal').where('key', 'in', lost.map(journalKey)).execute())
  }
  return { results: [...one.results, ...two.results], failed, unfinished: unfinished.length }
}

/** Removes half-written files wherever we write; gives how many there were. */
export function cleanUp(workspace: string, now: number): number {
  const agents = join(workspace, 'agents')
  const folders = [
    workspace,
    join(workspace, ARTIFACT_FOLDER),
    ...(isFolder(agents) ? namesIn(agents).map((name) => join(agents, name)) : []),
  ]
  return folders.filter(isFolder).reduce((sum, folder) => sum + removeLeftovers(folder, now), 0)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false // below a file; reported when something is written there
    throw notDone('read', path, error)
  }
}
