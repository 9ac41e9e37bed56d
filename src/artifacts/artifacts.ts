/** The only writer below the workspace's memory folder. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SentenceWriter } from '../analyze/memory-sentence.ts'
import { namesIn } from '../core/atomic-file.ts'
import type { Clock } from '../core/clock.ts'
import { given } from '../core/given.ts'
import type { OnProgress } from '../core/progress.ts'
import { endQuietSessions } from '../ledgers/finish-session.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import type { Store } from '../store/store.ts'
import { tombstoneReader } from '../tombstones/tombstones.ts'
import { ARTIFACT_FOLDER, parseArtifactName } from './format/artifact-name.ts'
import { type Opened, openSession } from './format/open-session.ts'
import { endedSessions, publishedSessions } from './publish/ended-sessions.ts'
import { setIndexed } from './publish/indexed-mark.ts'
import { type PublishReport, publishAll } from './publish/publish-all.ts'
import type { PublishContext } from './publish/publish-context.ts'
import { stoodIn } from './publish/stood-in.ts'
import type { MemoryBudget } from './render/memory-md.ts'
import { type Rendered, type RenderOptions, renderMemory } from './render/projection.ts'
import { type ArchiveOptions, type ArchiveReport, archiveTranscripts } from './repair/archive-transcripts.ts'
import { checkPublished } from './repair/check-published.ts'
import { removeForgottenFiles, renderStaleLists, writeLostManifests } from './repair/mend-published.ts'
import { putBackWarnings } from './repair/put-back.ts'
import { cleanUp, finishPublications, makeMissingSummaries, type RecoverReport } from './repair/recover.ts'
import { type ReindexReport, reindexArtifacts } from './repair/reindex.ts'
import { acceptArtifact, restoreArtifact, workspaceRelative } from './repair/restore-artifact.ts'
import type { Verification } from './repair/verify.ts'

export type { Opened } from './format/open-session.ts'
export type { PublishReport } from './publish/publish-all.ts'
export type { ArchivedTranscript, ArchiveReport } from './repair/archive-transcripts.ts'
export type { RecoverReport } from './repair/recover.ts'

export interface ArtifactsOptions {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly agentId: string
  readonly budget: MemoryBudget
  /** Idle time that ends a session. If absent, only a sync does. */
  readonly quietMs?: number
  readonly exclude: (project: string) => boolean
  readonly writer?: SentenceWriter
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
  readonly onStep?: PublishContext['onStep']
}

export interface Artifacts {
  /**
   * Publishes one session (even unended, without its last turn) or all ended and unpublished ones. `again` replaces sets that would now
   * differ. `compactions` publishes only that session's compactions.
   */
  publish(options?: { session?: string; again?: boolean; compactions?: boolean }): Promise<PublishReport>
  /** For `all`, renders every agent's lists and reports main's. */
  render(options?: RenderOptions): Promise<Rendered>
  reindex(): Promise<ReindexReport>
  verify(): Promise<Verification>
  open(session: string): Promise<Opened | undefined>
  recover(): Promise<RecoverReport>
  restore(path: string): Promise<{ path: string; kept: string | undefined }>
  accept(path: string): Promise<{ path: string; from: string; restored: boolean }>
  /** Moves transcripts outside the window to `memory/archive/`. */
  archive(options?: ArchiveOptions): Promise<ArchiveReport>
}

export function artifacts(options: ArtifactsOptions): Artifacts {
  const { store, workspace, clock, signal, quietMs } = options
  const tombstones = tombstoneReader()
  const projection = {
    ...{ store, workspace, clock, tombstones },
    budget: options.budget,
    isTemporary: temporary(options),
    ...given({ signal, onProgress: options.onProgress }),
  }
  const model = stoodIn(options.writer?.name)
  const context: PublishContext = {
    ...{ store, workspace, clock, tombstones, onStoodIn: model.onStoodIn },
    project: async (agentId) => void (await renderMemory(projection, agentId)),
    ...given({ writer: options.writer, signal, onStep: options.onStep }),
  }
  const agentId = options.agentId === 'all' ? undefined : options.agentId

  async function ended(): Promise<string[]> {
    if (quietMs !== undefined) await store.write((tx) => endQuietSessions(tx, { clock, quietMs }))
    return endedSessions(store, agentId)
  }
  async function renderAll(how: RenderOptions = {}): Promise<Rendered[]> {
    const found = await store.read.selectFrom('artifacts').select('agent_id').distinct().orderBy('agent_id').execute()
    const agents = new Set([...found.map((row) => row.agent_id), ...(agentId === undefined ? [] : [agentId])])
    const rendered: Rendered[] = []
    for (const one of agents)
      if (agentId === undefined || one === agentId) rendered.push(await renderMemory(projection, one, { force: true, ...how }))
    return rendered
  }
  async function renderOwn(how: RenderOptions = {}): Promise<Rendered> {
    if (agentId !== undefined) return renderMemory(projection, agentId, { force: true, ...how })
    const all = await renderAll(how)
    const main = all.find(({ agent_id }) => agent_id === 'main') ?? (await renderMemory(projection, 'main', { force: true, ...how }))
    return { ...main, warnings: [...new Set([...all.flatMap(({ warnings }) => warnings), ...main.warnings])] }
  }
  const reindex = () => reindexArtifacts({ ...context, ...given({ agentId }) })

  return {
    async publish({ session, again = false, compactions: compactionsOnly = false } = {}) {
      cleanUp(workspace, clock())
      // Nothing published yet: no row can be missing.
      if (!namesIn(join(workspace, ARTIFACT_FOLDER)).some(parseArtifactName)) await setIndexed(store, workspace)
      const warnings = await putBackWarnings({ store, workspace })
      if (session !== undefined) {
        const { id } = await resolveSession(store, session, agentId)
        return { ...(await publishAll(context, [id], { again, compactionsOnly })), warnings: model.warnings(warnings) }
      }
      const others = { ...context, leaveBusy: true }
      const { results, failed } = await finishPublications(others, agentId)
      const finished = results.filter(({ flow }) => flow === 'session-end')
      const seen = new Set([...finished, ...failed].map(({ session_id }) => session_id))
      const fresh = await ended()
      const all = again ? [...new Set([...(await publishedSessions(store, agentId)), ...fresh])] : fresh
      const report = await publishAll(
        others,
        all.filter((id) => !seen.has(id)),
        { again },
      )
      if (agentId !== undefined) {
        await makeMissingSummaries(context, agentId)
        // Decisions, merges and splits change MEMORY.md without a new publication.
        if ((await publishedSessions(store, agentId)).length > 0) await context.project(agentId)
      }
      return { results: [...results, ...report.results], failed: [...failed, ...report.failed], warnings: model.warnings(warnings) }
    },
    render: renderOwn,
    async reindex() {
      const report = await reindex()
      await renderAll()
      return report
    },
    verify: () => checkPublished(context),
    open: (session) => openSession({ store, workspace, agentId }, session),
    async recover() {
      const leftovers = cleanUp(workspace, clock())
      // Must run before anything is derived from the files.
      const { paths: forgotten, sessions } = await removeForgottenFiles(context)
      const finished = await finishPublications({ ...context, leaveBusy: true }, agentId)
      const again = await publishAll(context, sessions)
      const manifests = await writeLostManifests(context, forgotten)
      const reindexed = await reindex()
      const published = { results: [...finished.results, ...again.results], failed: [...finished.failed, ...again.failed] }
      return {
        ...finished,
        ...published,
        leftovers,
        forgotten,
        manifests,
        reindexed,
        rendered: [...(reindexed.checked === 0 ? [] : await renderAll()), ...(await renderStaleLists(projection))],
      }
    },
    restore: (path) => restoreArtifact(context, workspaceRelative(workspace, path)),
    accept: (path) => acceptArtifact(context, workspaceRelative(workspace, path)),
    async archive(how) {
      cleanUp(workspace, clock())
      return archiveTranscripts(context, agentId, how)
    },
  }
}

function temporary({ exclude }: ArtifactsOptions): (project: string | null) => boolean {
  const roots = [...new Set([tmpdir(), '/tmp', '/private/tmp', '/var/tmp', '/private/var/folders', '/var/folders'])]
  const below = (project: string, root: string) => project === root || project.startsWith(`${root}/`) || project.startsWith(`${root}\\`)
  return (project) => project !== null && (roots.some((root) => below(project, root)) || exclude(project))
}
