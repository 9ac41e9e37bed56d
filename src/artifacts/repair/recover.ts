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
  readonly unfinished: number
  readonly leftovers: number
  readonly forgotten: readonly string[]
  /** Manifests rebuilt, or removed if empty. */
  readonly manifests: readonly string[]
  readonly reindexed: ReindexReport
  readonly rendered: readonly Rendered[]
}

/** Drops publications whose session left the ledger. */
export async function finishPublications(
  context: PublishContext,
  agentId?: string,
): Promise<Omit<PublishReport, 'warnings'> & { unfinished: number }> {
  const unfinished = (await openPublications(context.store, agentId)).filter((row) => !isBusy(row, context.clock()))
  const ended = new Set(unfinished.filter(({ flow }) => flow === 'session-end').map(({ session_id }) => session_id))
  // A session that has not ended publishes only its compactions.
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
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false // a file is in the way; the next write reports it
    throw notDone('read', path, error)
  }
}

/** A new database lacks summaries, and MEMORY.md needs them. Returns the number made. */
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
    if (error instanceof LedgerMoved) return false // retried by the next run
    throw error
  }
}
