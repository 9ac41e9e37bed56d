/** Published history of one home: publish, render, verify, re-index, recover. The one door to everything under the workspace's memory folder. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SentenceWriter } from '../analyze/memory-sentence.ts'
import type { Clock } from '../core/clock.ts'
import { fenceReader } from '../ledgers/fence.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import type { Store } from '../store/store.ts'
import { ARTIFACT_FOLDER } from './artifact-name.ts'
import { removeLeftovers } from './atomic-file.ts'
import { findManifest } from './find-manifest.ts'
import { openPublications } from './journal.ts'
import { readManifest } from './manifest-file.ts'
import type { MemoryBudget } from './memory-md.ts'
import { type Rendered, type RenderOptions, renderMemory } from './projection.ts'
import { publishCompactions } from './publish-compaction.ts'
import type { PublishContext, Published } from './publish-context.ts'
import { publishSession } from './publish-session.ts'
import { type ReindexReport, reindexArtifacts } from './reindex.ts'
import { acceptArtifact, restoreArtifact, tokenOf, workspaceRelative } from './restore-artifact.ts'
import { type Verification, verifyArtifacts } from './verify.ts'

export interface ArtifactsOptions {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  /** Whose history; `all`: everybody's, where that can be. */
  readonly agentId: string
  readonly budget: MemoryBudget
  /** True for projects whose sessions no list shows. */
  readonly exclude: (project: string) => boolean
  readonly writer?: SentenceWriter
  readonly signal?: AbortSignal
  readonly onStep?: PublishContext['onStep']
}

export interface PublishReport {
  readonly results: readonly Published[]
  /** Sessions whose publication failed, with the reason; the others went on. */
  readonly failed: readonly { readonly session_id: string; readonly error: string }[]
}

export interface RecoverReport extends PublishReport {
  /** Publications that a process left unfinished. */
  readonly unfinished: number
  /** Half-written files that were removed. */
  readonly leftovers: number
  readonly reindexed: ReindexReport
  readonly rendered: readonly Rendered[]
}

export interface Opened {
  readonly session_id: string
  readonly manifest_path: string
  readonly summary_path: string | null
  readonly transcript_path: string | null
  readonly compaction_path: string | null
}

export interface Artifacts {
  /** One session, also one that goes on; without one every session that ended since its last publication. */
  publish(options?: { session?: string }): Promise<PublishReport>
  render(options?: RenderOptions): Promise<Rendered>
  reindex(): Promise<ReindexReport>
  verify(): Promise<Verification>
  /** Where a session's files are. */
  open(session: string): Promise<Opened | undefined>
  recover(): Promise<RecoverReport>
  restore(path: string): Promise<{ path: string; kept: string | undefined }>
  accept(path: string): Promise<{ path: string; from: string }>
}

export function artifacts(options: ArtifactsOptions): Artifacts {
  const { store, workspace, clock, signal } = options
  const fence = fenceReader()
  const projection = { store, workspace, clock, budget: options.budget, isTemporary: temporary(options), ...(signal ? { signal } : {}) }
  const context: PublishContext = {
    ...{ store, workspace, clock, fence },
    project: async (agentId) => void (await renderMemory(projection, agentId)),
    ...(options.writer ? { writer: options.writer } : {}),
    ...(signal ? { signal } : {}),
    ...(options.onStep ? { onStep: options.onStep } : {}),
  }
  const agentId = options.agentId === 'all' ? undefined : options.agentId
  const reindex = (only?: string) => reindexArtifacts({ ...context, ...(only === undefined ? {} : { agentId: only }) })

  return {
    async publish({ session } = {}) {
      const ids = session === undefined ? await endedSessions(store, agentId) : [(await resolveSession(store, session)).id]
      return publishAll(context, ids)
    },
    render: (how) => renderMemory(projection, agentId ?? 'main', { force: true, ...how }),
    reindex: () => reindex(agentId),
    verify: () => verifyArtifacts(workspace),
    open: (session) => open(context, session),
    async recover() {
      const leftovers = existsSync(join(workspace, ARTIFACT_FOLDER)) ? removeLeftovers(join(workspace, ARTIFACT_FOLDER), clock()) : 0
      const unfinished = await openPublications(store)
      const report = await publishAll(context, [...new Set(unfinished.map((row) => row.session_id))])
      const reindexed = await reindex()
      const agents = await store.read.selectFrom('artifacts').select('agent_id').distinct().execute()
      const rendered: Rendered[] = []
      for (const { agent_id } of agents) rendered.push(await renderMemory(projection, agent_id, { force: true }))
      return { ...report, unfinished: unfinished.length, leftovers, reindexed, rendered }
    },
    restore: (path) => restoreArtifact(context, workspaceRelative(workspace, path)),
    accept: (path) => acceptArtifact(context, workspaceRelative(workspace, path)),
  }
}

/** One that fails does not keep the others from being published. */
async function publishAll(context: PublishContext, ids: readonly string[]): Promise<PublishReport> {
  const results: Published[] = []
  const failed: { session_id: string; error: string }[] = []
  for (const id of ids) {
    try {
      results.push(...(await publishCompactions(context, id)), await publishSession(context, id))
    } catch (error) {
      const code = (error as { code?: string }).code
      // A database, a disk or a person that says stop, stops all of them.
      if (code !== 'VALIDATION_ERROR') throw error
      failed.push({ session_id: id, error: (error as Error).message })
    }
  }
  return { results, failed }
}

/** Sessions that ended and of which something newer than their last publication exists; the oldest first. */
async function endedSessions(store: Store, agentId: string | undefined): Promise<string[]> {
  const query = store.read
    .selectFrom('agent_sessions as s')
    .select('s.id')
    .where('s.status', '=', 'ended')
    .where('s.is_subagent', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('artifacts as a')
            .select('a.source_path')
            .whereRef('a.session_id', '=', 's.id')
            .whereRef('a.agent_id', '=', 's.agent_id')
            .where('a.source_kind', '=', 'summary')
            .whereRef('a.captured_at', '>=', 's.last_message_at'),
        ),
      ),
    )
    .orderBy('s.last_message_at')
    .orderBy('s.id')
  const rows = await (agentId === undefined ? query : query.where('s.agent_id', '=', agentId)).execute()
  return rows.map(({ id }) => id)
}

async function open(context: PublishContext, asked: string): Promise<Opened | undefined> {
  const { id } = await resolveSession(context.store, asked)
  const row = await context.store.read
    .selectFrom('agent_sessions')
    .select(['id', 'agent_id', 'session_key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const path = await findManifest(context, { token: tokenOf(row), capturedAt: 0 })
  const manifest = readManifest(context.workspace, path)
  if (manifest === undefined) return undefined
  const { summary_path, transcript_path, compaction_path } = manifest
  return { session_id: id, manifest_path: path, summary_path, transcript_path, compaction_path }
}

/** A session of a temporary folder, or of a project that the owner keeps out of the lists. */
function temporary({ exclude }: ArtifactsOptions): (project: string | null) => boolean {
  const roots = [...new Set([tmpdir(), '/tmp', '/private/tmp', '/var/tmp', '/private/var/folders', '/var/folders'])]
  return (project) => project !== null && (roots.some((root) => project === root || project.startsWith(`${root}/`)) || exclude(project))
}
