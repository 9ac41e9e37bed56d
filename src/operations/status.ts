import type { Paths } from '../config/paths.ts'
import type { Clock } from '../core/clock.ts'
import { isoOrNull } from '../core/time.ts'
import { DOCUMENTS } from '../ingest/documents/documents.ts'
import { lastRun } from '../roles/writer/agent/agent-runs.ts'
import { queueState } from '../roles/writer/take-tasks.ts'
import { lastDone } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { runCounts } from './analysis-health.ts'
import { countIndexStates, countRows, indexCursor, vectorBytes, waitingSessions } from './counts.ts'
import { folderSize } from './disk-space.ts'
import { metrics } from './metrics.ts'
import type { StatusReport } from './report.ts'
import { spendReport } from './spend-health.ts'

export interface StatusOptions {
  readonly version: string
  readonly paths: Pick<Paths, 'home' | 'models' | 'memory'>
  /** `all` shows main's cursor. */
  readonly agentId: string
  readonly identity: string
  readonly clock: Clock
  readonly mode?: StatusReport['writer']['mode']
}

export async function statusReport(
  store: Store,
  { version, paths, agentId, identity, clock, mode = 'model' }: StatusOptions,
): Promise<StatusReport> {
  const sizes = await sizesOf(store, paths)
  const work = await store.work.coverage()
  return {
    version,
    home: paths.home,
    last_sync: isoOrNull((await lastDone(store, 'sync')) ?? null),
    agents: await agentCounts(store),
    events: { events: await countRows(store, 'events'), threads: await countRows(store, 'threads') },
    core: {
      episodes: await countRows(store, 'episodes'),
      waiting_episodes: (await countRows(store, 'episode_waiting')) + (await countRows(store, 'episode_sessions_waiting')),
      analysis_runs: await countRows(store, 'analysis_runs'),
      runs: await runCounts(store),
      accesses: await countRows(store, 'access_counts'),
      facets: await countRows(store, 'facets'),
      embeddings: await countRows(store, 'embeddings'),
    },
    graph: {
      entities: await countRows(store, 'entities'),
      relationships: await countRows(store, 'relationships'),
      merge_candidates: await countRows(store, 'merge_candidates'),
    },
    index: {
      identity,
      documents: await countRows(store, 'files'),
      chunks: await countRows(store, 'chunks'),
      waiting_sessions: await waitingSessions(store),
      partial_sessions: (await countIndexStates(store)).partial,
      tools: store.work.tools,
      work_calls: work.calls,
      waiting_work_sessions: work.waiting_sessions,
      cursor: await indexCursor(store, agentId === 'all' ? 'main' : agentId),
    },
    writer: await writerState(store, mode),
    sources: await sourceCounts(store),
    spent_today: await spendReport(store, clock()),
    // The database size includes vectors.
    metrics: await metrics(store, { clock, storageBytes: sizes.database_bytes + sizes.artifacts_bytes + sizes.models_bytes }),
    sizes,
  }
}

async function agentCounts(store: Store): Promise<StatusReport['agents']> {
  const { subagents } = await store.read
    .selectFrom('agent_sessions')
    .select((eb) => eb.fn.countAll<number>().as('subagents'))
    .where('is_subagent', '=', 1)
    .executeTakeFirstOrThrow()
  return {
    sessions: await countRows(store, 'agent_sessions'),
    subagents: Number(subagents),
    messages: await countRows(store, 'agent_messages'),
    turns: await countRows(store, 'agent_turns'),
    tool_calls: await countRows(store, 'agent_tool_calls'),
    compactions: await countRows(store, 'agent_compactions'),
  }
}

async function writerState(store: Store, mode: StatusReport['writer']['mode']): Promise<StatusReport['writer']> {
  const { waiting, failed, oldest } = await queueState(store)
  return { waiting, failed, oldest: isoOrNull(oldest), mode, last_agent_run: mode === 'agent' ? await lastRun(store.read) : null }
}

/** Includes adapters that only failed. */
async function sourceCounts(store: Store): Promise<StatusReport['sources']> {
  const read = await store.read
    .selectFrom('sync_state')
    .select((eb) => ['adapter', eb.fn.countAll<number>().as('units'), eb.fn.max('updated_at').as('last_read')])
    .where('status', '<>', 'quarantined')
    // Our own files have no records.
    .where((eb) => eb.or([eb('adapter', '<>', DOCUMENTS), eb('records', '>', 0)]))
    .groupBy('adapter')
    .execute()
  const refused = await store.read
    .selectFrom('quarantine')
    .select((eb) => ['adapter', eb.fn.countAll<number>().as('units')])
    .groupBy('adapter')
    .execute()
  const names = [...new Set([...read, ...refused].map((row) => row.adapter))].sort()
  return names.map((adapter) => {
    const row = read.find((candidate) => candidate.adapter === adapter)
    return {
      adapter,
      units: Number(row?.units ?? 0),
      quarantined: Number(refused.find((candidate) => candidate.adapter === adapter)?.units ?? 0),
      last_read: isoOrNull(row?.last_read ?? null),
    }
  })
}

async function sizesOf(store: Store, paths: Pick<Paths, 'models' | 'memory'>): Promise<StatusReport['sizes']> {
  return {
    database_bytes: (await store.file?.size()) ?? 0,
    vectors_bytes: await vectorBytes(store),
    token_bits_bytes: (await store.vectors.tokenBits.coverage()).bytes,
    artifacts_bytes: await folderSize(paths.memory),
    models_bytes: await folderSize(paths.models),
  }
}
