/**
 * Rebuilds derived data by the sync's steps, without models. Keeps decisions and model output. All is first marked stale in one
 * transaction: reads stay complete, a killed run resumes.
 */
import { deriveEvents } from '../analyze/derive/derive-events.ts'
import { updateDiscussions } from '../analyze/discussions/update-discussions.ts'
import { followFailures, waitForFailures } from '../analyze/failures/follow-failures.ts'
import { followFacts, waitForFacts } from '../analyze/projects/follow-facts.ts'
import { readTypes } from '../analyze/run/analysis-type.ts'
import { labelWaiting } from '../analyze/run/label-waiting.ts'
import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import { rebuildEpisodes } from '../episodes/rebuild.ts'
import { nameProjects } from '../ledgers/projects/name-projects.ts'
import { recountLost, restoreLostTurns } from '../ledgers/restore-lost-turns.ts'
import { updateGate } from '../roles/moment/update-gate.ts'
import { runJob } from '../store/job.ts'
import type { Lease } from '../store/lease.ts'
import { META, readMeta, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { type AnalyzeParts, runAnalyze } from './analyze.ts'
import { followGraph } from './follow-graph.ts'
import type { JobHooks } from './options.ts'
import { jobAgent, type Stages } from './stages.ts'
import { takeRemembered } from './take-remembered.ts'

export interface RebuildOptions extends JobHooks {
  readonly embed?: boolean
}

export interface RebuildReport {
  /** True if it resumed an interrupted rebuild. */
  readonly resumed: boolean
  readonly episodes: { readonly added: number; readonly changed: number; readonly removed: number }
  readonly labels: number
  readonly documents: number
  readonly events: { readonly looked_at: number; readonly added: number; readonly removed: number }
  readonly runs: number
  readonly discussions: number
  readonly warnings: readonly string[]
}

const RULES = 'rules'

export async function runRebuild(stages: Stages, hooks: RebuildOptions, parts: AnalyzeParts): Promise<RebuildReport> {
  const { store, config, indexer, clock, embedding } = stages
  const options = given({ signal: hooks.signal, onProgress: hooks.onProgress })
  const resumed = (await readMeta(store.read, META.rebuildPending)) !== undefined
  const made = await runJob(store, { job: 'rebuild', agentId: jobAgent(config), clock, ...options }, async (lease) => {
    if (!resumed) await markAll(store, lease)
    if ((await readMeta(store.read, META.repairPending)) !== undefined) {
      await restoreLostTurns(store, { guard: lease.check, clock, quietMs: config.memory.quiet_minutes * 60_000 })
      await recountLost(store, lease.check)
    }
    await nameProjects(store, lease.check)
    const episodes = await rebuildEpisodes(store, { guard: lease.check, clock, ...options })
    const labels = await labelWaiting(store, { isOn: (agent) => agentMemory(config, agent).labeling.enabled, lease, ...options })
    const indexed = await indexer.backfill({ force: true, lease, ...options })
    await store.rebuildText()
    await takeRemembered(stages, lease)
    const events = await deriveEvents(store, { clock, lease, ...options })
    return { episodes, labels, indexed, events }
  })
  const { completed, warnings } = await analyzeAgain(stages, hooks, parts)
  // A concurrent `analyze` may have taken the same queues.
  const discussions = await runJob(store, { job: 'rebuild', clock, ...options }, async (lease) => {
    await dropUnmade(store, lease)
    await takeRemembered(stages, lease)
    await followGraph(stages, { guard: lease.check, signal: hooks.signal })
    await followFacts(store, { guard: lease.check, signal: hooks.signal })
    await followFailures(store, { guard: lease.check, signal: hooks.signal })
    await updateGate(store, stages.paths.home)
    const count = await updateDiscussions(store, { guard: lease.check, signal: hooks.signal })
    await store.write(async (tx) => {
      await lease.check(tx)
      for (const key of [META.rebuildPending, META.repairPending] as const) await removeMeta(tx.db, key)
    })
    return count
  })
  const embedded = hooks.embed === false ? { warnings: [] } : await embedding.afterSync(options)
  const { episodes, labels, indexed, events } = made
  return {
    ...{ resumed, episodes, labels, documents: indexed.documents, events, runs: completed, discussions },
    warnings: [...indexed.warnings, ...warnings, ...embedded.warnings],
  }
}

/** Uses rules only. Skipped if nothing was ever analyzed, unless a repair may have lost the evidence. */
async function analyzeAgain(stages: Stages, hooks: JobHooks, { rules, writeGraph }: AnalyzeParts) {
  const { read } = stages.store
  const any = await read.selectFrom('analysis_runs').select('id').limit(1).executeTakeFirst()
  if (any === undefined && (await readMeta(read, META.repairPending)) === undefined) return { completed: 0, warnings: [] }
  const everybody = { ...stages, config: { ...stages.config, agent: 'all' } }
  const { totals, stopped } = await runAnalyze(everybody, given({ signal: hooks.signal, onProgress: hooks.onProgress }), {
    rules,
    writeGraph,
  })
  return { completed: totals.completed, warnings: stopped === null ? [] : [`analyses were stopped: ${stopped}`] }
}

/** Only marks data as stale; removes nothing yet. */
async function markAll(store: Store, lease: Lease): Promise<void> {
  await store.write(async (tx) => {
    await lease.check(tx)
    await writeMeta(tx.db, META.rebuildPending, '1')
    for (const key of [META.labelsIdentity, META.derivedIdentity] as const) await removeMeta(tx.db, key)
    await tx.db.deleteFrom('extractions').execute()
    await tx.db
      .updateTable('analysis_runs')
      .set({ version: null, attempts: 0 })
      .where('asked', '=', RULES)
      .where('status', 'in', ['completed', 'failed'])
      .execute()
    await waitForHistory(tx)
    await waitForFacts(tx)
    await waitForFailures(tx)
    await waitForGraph(tx)
  })
}

async function waitForHistory({ db }: WriteTx): Promise<void> {
  await db
    .insertInto('decisions_waiting')
    .columns(['event_id'])
    .expression((eb) => eb.selectFrom('derived_sources').select('event_id').where('event_id', 'is not', null))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('discussion_waiting')
    .columns(['unit'])
    .expression((eb) => eb.selectFrom('discussions').select('unit').where('unit', 'is not', null))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function waitForGraph({ db }: WriteTx): Promise<void> {
  // Nothing would ever replace rows of deleted runs.
  for (const table of ['relationships', 'episode_entity_mentions', 'entity_aliases'] as const)
    await db
      .deleteFrom(table)
      .where('run_id', 'is not', null)
      .where('run_id', 'not in', (eb) => eb.selectFrom('analysis_runs').select('id'))
      .execute()
  for (const table of ['graph_waiting', 'pattern_waiting'] as const)
    await db
      .insertInto(table)
      .columns(['entity_id'])
      .expression((eb) => eb.selectFrom('entities').select('id').where('id', 'is not', null))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Their analysis no longer reads these episodes. */
async function dropUnmade(store: Store, lease: Lease): Promise<void> {
  for (const { name, definitions } of await readTypes(store.read))
    await store.write(async (tx) => {
      await lease.check(tx)
      await tx.db
        .deleteFrom('analysis_runs')
        .where('analysis_type_id', '=', name)
        .where('asked', '=', RULES)
        .where('version', 'is', null)
        .where('episode_id', 'in', (eb) =>
          eb
            .selectFrom('episodes')
            .select('id')
            .where('definition_id', 'not in', [...definitions, '']),
        )
        .execute()
    })
}
