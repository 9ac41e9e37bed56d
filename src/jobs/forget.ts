import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { deriveEvents } from '../analyze/derive/derive-events.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { forgetInDossiers } from '../artifacts/dossiers/dossiers.ts'
import { removeSessionSet } from '../artifacts/publish/remove-set.ts'
import type { Paths } from '../config/paths.ts'
import { asMnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { dropGate } from '../core/hook-gate.ts'
import { QMD_MARKER } from '../core/qmd-marker.ts'
import { updateEpisodes } from '../episodes/update.ts'
import type { ForgetContext } from '../forget/context.ts'
import { type ForgetReport, forget, resumeForgetting } from '../forget/forget.ts'
import { type ForgetPlan, type PlanRequest, planForgetting } from '../forget/plan.ts'
import type { ForgetRequest } from '../forget/request.ts'
import { pruneExports } from '../operations/export-prune.ts'
import { updateGate } from '../roles/moment/update-gate.ts'
import { runJob } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { isSettled, mergeTombstoneFile, readPending } from '../tombstones/settled.ts'
import { writeQmd } from './export.ts'
import type { JobHooks } from './options.ts'
import type { Stages } from './stages.ts'

export interface ForgetStages extends Stages {
  readonly paths: Paths
  readonly timezone: string
  readonly artifacts: (agentId: string, hooks?: JobHooks) => Promise<Artifacts>
  readonly openCopy: (path: string) => Promise<Store>
  readonly onStep?: ForgetContext['onStep']
}

interface Hooks extends JobHooks {
  readonly waitMs?: number
}

function contextOf(stages: ForgetStages, { waitMs, signal, onProgress }: Hooks = {}): ForgetContext {
  const { store, clock, config, paths, indexer, qmdDir } = stages
  return {
    ...{ store, clock, home: paths.home, workspace: paths.workspace, timezone: stages.timezone, openCopy: stages.openCopy },
    quietMs: config.memory.quiet_minutes * 60_000,
    agentId: config.agent === 'all' ? undefined : config.agent,
    alone: (work) => runJob(store, { job: 'forget', clock, waitMs, signal, onProgress }, work),
    indexSession: async (id, lease) => void (await indexer.indexSession(id, { force: true, lease })),
    async regroup(lease) {
      await updateEpisodes(store, { guard: lease.check, clock })
      await indexer.tail({ lease, changedOnly: true })
      await deriveEvents(store, { clock, lease })
    },
    published: {
      remove: (session) => removeSessionSet({ store, workspace: paths.workspace }, session),
      publish: async (session) => {
        await (await stages.artifacts('all')).publish({ session })
        await indexer.tailPublished()
      },
      render: async (agentId) => void (await (await stages.artifacts(agentId)).render()),
    },
    dossiers: (holds) => forgetInDossiers({ store, workspace: paths.workspace, now: clock() }, holds),
    exportAgain: async () => {
      await pruneExports(store, paths.workspace)
      if (existsSync(join(qmdDir, QMD_MARKER))) await writeQmd(stages)
    },
    ...given({ onStep: stages.onStep }),
  }
}

export function runPlan(stages: ForgetStages, request: PlanRequest): Promise<ForgetPlan> {
  return planForgetting(contextOf(stages), request)
}

export function runForget(stages: ForgetStages, request: ForgetRequest): Promise<ForgetReport> {
  return withoutGate(stages, () => forget(contextOf(stages, request), request))
}

/** Tool-call hooks stay silent until the end. */
async function withoutGate<T>({ store, paths }: ForgetStages, work: () => Promise<T>): Promise<T> {
  await store.write(async () => undefined) // fails early if read-only
  dropGate(paths.home)
  const done = await work()
  await updateGate(store, paths.home)
  return done
}

export function runResume(stages: ForgetStages, hooks: JobHooks = {}): Promise<ForgetReport | undefined> {
  return withoutGate(stages, () => resumeForgetting(contextOf(stages, hooks)))
}

const NO_REWRITE: ReadonlySet<string> = new Set(['STORAGE_ERROR', 'DATABASE_BUSY'])

/** Applies forgets of a dead process or another copy. Tombstones apply at once; removal waits for other writers. */
export async function settleForgotten(stages: ForgetStages): Promise<void> {
  const { store, paths, clock } = stages
  if (await isSettled(store, paths.workspace)) return
  await mergeTombstoneFile(store, paths.workspace, clock())
  try {
    await withoutGate(stages, () => resumeForgetting(contextOf(stages, { waitMs: 0 })))
  } catch (error) {
    const { code } = asMnemonicError(error)
    // If only the rewrite is left, continue: `health` reports it.
    const bytesOnly = NO_REWRITE.has(code) && (await readPending(store))?.left === 'bytes'
    if (code !== 'JOB_RUNNING' && !bytesOnly) throw error
  }
}
