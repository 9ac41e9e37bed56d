/** Makes up for what is missing: publications that a process began and did not end, half-written files, summaries that a new database lacks. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SESSION_SUMMARY } from '../../analyze/session-summary.ts'
import { namesIn, notDone, removeLeftovers } from '../../core/atomic-file.ts'
import { ARCHIVE_FOLDER, ARTIFACT_FOLDER } from '../format/artifact-name.ts'
import { LedgerMoved } from '../publish/forgotten-meanwhile.ts'
import { isBusy, journalKey, openPublications } from '../publish/journal.ts'
import { loadSession, summarize } from '../publish/load-set.ts'
import { type PublishReport, publishAll } from '../publish/publish-all.ts'
import type { PublishContext } from '../publish/publish-context.ts'
import { keepAnalyses } from '../publish/set-files.ts'
import { MOST_SESSIONS } from '../render/head-facts.ts'
import { windowStart } from '../render/ledger-row.ts'
import type { Rendered } from '../render/projection.ts'
import { summariesOf } from '../render/session-summaries.ts'
import type { ReindexReport } from './reindex.ts'

export interface RecoverReport extends Omit<PublishReport, 'warnings'> {
  /** Publications that a process left unfinished. */
  readonly unfinished: number
  /** Half-written files that were removed. */
  readonly leftovers: number
  /** Files of what was forgotten, which somebody had put back: removed. */
  readonly forgotten: readonly string[]
  /** Manifests that were lost, or led to such files: written again, or removed where nothing of theirs is left. */
  readonly manifests: readonly string[]
  readonly reindexed: ReindexReport
  readonly rendered: readonly Rendered[]
}

/** Finishes publications under way and gives how many there were. One whose session is gone from the ledger is given up. */
export async function finishPublications(
  context: PublishContext,
  agentId?: string,
): Promise<Omit<PublishReport, 'warnings'> & { unfinished: number }> {
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
    join(workspace, ARCHIVE_FOLDER),
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

/**
 * Makes the summaries that a new database over older files lacks: the top of MEMORY.md is made of them. By rules; asks no model.
 * Gives how many were missing and could be made: of published sessions of the window that the ledger holds.
 */
export async function makeMissingSummaries(context: PublishContext, agentId: string): Promise<number> {
  const { store, clock } = context
  const rows = await store.read
    .selectFrom('artifacts as a')
    .innerJoin('agent_sessions as s', 's.id', 'a.session_id')
    .select('a.session_id')
    .where('a.agent_id', '=', agentId)
    .where('a.source_kind', '=', 'summary')
    .where('a.membership_ts', '>=', windowStart(clock()))
    .orderBy('a.membership_ts', 'desc')
    .limit(MOST_SESSIONS)
    .execute()
  const ids = [...new Set(rows.map(({ session_id }) => session_id))]
  const there = await summariesOf(store, ids)
  let made = 0
  for (const id of ids) if (!there.has(id) && (await makeOne(context, id))) made += 1
  return made
}

async function makeOne(context: PublishContext, sessionId: string): Promise<boolean> {
  const loaded = await loadSession(context.store, sessionId)
  if (loaded === undefined) return false
  const { summary } = await summarize(context.store, loaded)
  try {
    return await keepAnalyses(context, loaded, [
      { type: SESSION_SUMMARY.name, version: SESSION_SUMMARY.version, output: summary, implementation: 'rules', isPart: true },
    ])
  } catch (error) {
    if (error instanceof LedgerMoved) return false // made the next time, when the session does not change
    throw error
  }
}
