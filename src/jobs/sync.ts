import { resolve } from 'node:path'
import { deriveEvents } from '../analyze/derive/derive-events.ts'
import { followFailures } from '../analyze/failures/follow-failures.ts'
import { followFacts } from '../analyze/projects/follow-facts.ts'
import { analyzeWaiting } from '../analyze/run/analyze-waiting.ts'
import { labelWaiting } from '../analyze/run/label-waiting.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { putBackWarnings } from '../artifacts/repair/put-back.ts'
import { agentMemory } from '../config/agent-memory.ts'
import { ignoreMatcher } from '../config/ignore.ts'
import { DERIVED_SOURCES } from '../config/source-names.ts'
import { given } from '../core/given.ts'
import { plural } from '../core/text.ts'
import { currentRules, updateEpisodes } from '../episodes/update.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { eventIgnorer } from '../ingest/ignore-events.ts'
import { projectLocator } from '../ingest/project-of.ts'
import { syncSources } from '../ingest/sync.ts'
import type { SyncReport } from '../ingest/sync-report.ts'
import { endQuietSessions, endSession, endTurn } from '../ledgers/finish-session.ts'
import { settleMail } from '../ledgers/mail/settle-mail.ts'
import { settleMeetings } from '../ledgers/meetings/settle-meetings.ts'
import { nameWaiting } from '../ledgers/names/name-waiting.ts'
import { completeNumbers } from '../ledgers/people/complete-numbers.ts'
import { nameProjects } from '../ledgers/projects/name-projects.ts'
import { regroupNamedTurns } from '../ledgers/regroup-named-turns.ts'
import { unifyProjects } from '../ledgers/unify-projects.ts'
import { sweepLeftovers } from '../operations/leftovers.ts'
import { updateGate } from '../roles/moment/update-gate.ts'
import { runJob } from '../store/job.ts'
import type { Lease } from '../store/lease.ts'
import { type Beside, beside } from './beside/beside.ts'
import { chosenSources, isByContent, isPersonal, mayBeAsked, namedSources } from './chosen-sources.ts'
import { exportAfterSync } from './export.ts'
import { followGraph } from './follow-graph.ts'
import { followRedaction } from './follow-redaction.ts'
import type { JobHooks, SyncOptions } from './options.ts'
import { jobAgent, type Stages } from './stages.ts'
import { takeRemembered } from './take-remembered.ts'

/** `ended`, `turnEnded`: the harness reported the end of this session or turn. */
export interface CaptureOptions extends SyncOptions {
  readonly ended?: { readonly source: string; readonly nativeId: string } | undefined
  readonly turnEnded?: { readonly source: string; readonly nativeId: string } | undefined
  /** False: the next sync analyzes the rest. */
  readonly analyzeAll?: boolean
}

/** Uses another job name, so that `last_sync` is unaffected. Makes no vectors. */
export function capture(stages: Stages, options: CaptureOptions, job: string): Promise<SyncReport> {
  const { store, config, clock } = stages
  const hooks = given({ onProgress: options.onProgress, signal: options.signal })
  return runJob(store, { job, agentId: jobAgent(config), clock, waitMs: options.waitMs, ...hooks }, async (lease, note) => {
    await sweepLeftovers(store, stages.paths, clock())
    const thread = beside({ config, paths: stages.paths, from: stages.besideFrom })
    try {
      const report = await readAndIndex({ ...stages, beside: thread }, options, lease)
      note.items = report.totals.imported
      return report
    } finally {
      await thread.close()
    }
  })
}

export async function runSync(stages: PublishingStages, options: SyncOptions): Promise<SyncReport> {
  const { config, embedding } = stages
  const hooks = given({ onProgress: options.onProgress, signal: options.signal })
  const synced = await capture(stages, options, 'sync')
  // Runs outside the lease: another sync need not wait for models.
  const analysed = config.analyze.auto && options.analyze !== false ? await analyzeAll(stages, hooks) : []
  const { published, warnings: unpublished } = config.memory.auto_publish ? await publishEnded(stages, hooks) : NOTHING_PUBLISHED
  const report = { ...withWarnings(synced, [...analysed, ...unpublished]), published }
  if (options.embed === false) return report
  const { warnings, newlyFailed } = await embedding.afterSync(hooks)
  return { ...withWarnings(report, warnings), newly_failed_chunks: newlyFailed }
}

export interface PublishingStages extends Stages {
  readonly artifacts: (agentId: string, hooks?: JobHooks) => Promise<Artifacts>
}

const NOTHING_PUBLISHED = { published: 0, warnings: [] as string[] }

async function publishEnded(stages: PublishingStages, hooks: JobHooks): Promise<typeof NOTHING_PUBLISHED> {
  const { store, clock, config, owner } = stages
  const { indexedArtifacts } = await import('./indexed-artifacts.ts')
  const artifacts = indexedArtifacts(await stages.artifacts(config.agent, hooks), { store, clock, config, owner, hooks })
  const { results, failed } = await artifacts.publish()
  return {
    published: new Set(results.filter(({ status }) => status === 'published').map(({ session_id }) => session_id)).size,
    warnings: failed.map(({ session_id, error }) => `${session_id} is not published: ${error}`),
  }
}

async function analyzeAll(stages: Stages, hooks: JobHooks): Promise<string[]> {
  const { runAnalyze } = await import('./analyze.ts')
  const { analyzeParts } = await import('./analyze-parts.ts')
  const { totals, stopped } = await runAnalyze(stages, hooks, await analyzeParts(stages))
  return [...(totals.failed > 0 ? [failedRuns(totals.failed)] : []), ...(stopped === null ? [] : [`analyses were stopped: ${stopped}`])]
}

async function readAndIndex(stages: Stages & { readonly beside: Beside }, options: CaptureOptions, lease: Lease): Promise<SyncReport> {
  const { store, config, indexer, clock } = stages
  const { analyze = true, signal, onProgress } = options
  const adapters = chosenSources(stages.adapters, config, options)
  const quiet = { clock, quietMs: config.memory.quiet_minutes * 60_000 }
  const { readAhead, makeWork, makeLabels } = stages.beside
  const index = { lease, analyze, makeWork, ...given({ signal, onProgress }) }
  const warnings: string[] = []
  await followRedaction(store, { guard: lease.check })
  await regroupNamedTurns(store, { ...quiet, guard: lease.check })
  // Must precede reading: `ignore.contacts` uses these names.
  await completeNumbers(store, { phones: stages.owner.phones, guard: lease.check })
  const report = await syncSources({
    store,
    adapters,
    dormant: stages.adapters.filter((adapter) => !adapters.includes(adapter) && mayBeAsked(adapter, options)),
    needsConsent: isPersonal,
    reread: options.reread ?? false,
    ...(options.path === undefined ? {} : { path: resolve(options.path), byContent: isByContent(options) }),
    ...quiet,
    ignore: ignoreMatcher(config.ignore.projects),
    ...given({ ignoreEvents: ignoredEvents(stages) }),
    readAhead,
    guard: lease.check,
    afterGroup: async () =>
      void warnings.push(...(await indexer.tail({ lease, analyze, makeWork, changedOnly: true, ...given({ signal }) })).warnings),
    async settle() {
      await store.write(async (tx) => {
        await lease.check(tx)
        if (options.ended !== undefined) await endSession(tx, options.ended)
        if (options.turnEnded !== undefined) await endTurn(tx, options.turnEnded)
        await endQuietSessions(tx, quiet)
      })
      await settleMail(store, { owners: stages.owner.emails, guard: lease.check, signal })
      await settleMeetings(store, { owner: stages.owner, guard: lease.check, signal })
      await nameWaiting(store, { guard: lease.check, signal })
      await unifyProjects(store, { locate: projectLocator(), guard: lease.check })
      await nameProjects(store, lease.check)
    },
    ...given({ signal, onProgress }),
  })
  await updateEpisodes(store, { guard: lease.check, clock, ...given({ signal, onProgress }) })
  await (await import('../episodes/own-definition.ts')).buildAdded(store, { guard: lease.check, clock, ...given({ signal }) })
  // Must precede the rules, so that they skip owner statements.
  if (analyze) await takeRemembered(stages, lease)
  if (analyze && options.analyzeAll !== false) warnings.push(...(await analyzeByRules(stages, lease, options)))
  if (analyze) await labelWaiting(store, { isOn: (agent) => agentMemory(config, agent).labeling.enabled, makeLabels, lease, signal })
  // Indexes what a killed run left.
  warnings.push(...(await indexer.tail(index)).warnings)
  if (analyze) {
    await deriveEvents(store, { clock, lease, ...given({ signal }) })
    await followGraph(stages, { guard: lease.check, signal })
    await takeTerms(stages, lease, signal)
    await followFacts(store, { guard: lease.check, signal })
    await followFailures(store, { guard: lease.check, signal })
    await updateGate(store, stages.paths.home)
  }
  if (report.adapters.some(({ name, imported }) => name === 'gmail' && imported > 0))
    warnings.push(...(await (await import('../ledgers/mail/owner-addresses.ts')).ownerWarnings(store, stages.owner.emails)))
  warnings.push(...(await putBackWarnings({ store, workspace: stages.paths.workspace })))
  const exported = config.qmd.enabled ? await exportAfterSync(stages, signal) : []
  const { adapters: asked } = options
  const shown = asked === undefined ? withoutSilent(report, adapters) : onlyNamed(report, namedSources(stages.adapters, asked))
  return withWarnings(shown, [...new Set(warnings), ...exported])
}

async function analyzeByRules(stages: Stages, lease: Lease, { signal, onProgress }: SyncOptions): Promise<string[]> {
  const { store, config, clock } = stages
  const { failed } = await analyzeWaiting(store, {
    ...{ clock, lease, signal, onProgress },
    definitions: await currentRules(store, { guard: lease.check, clock }),
    parts: async () => (await import('./analyze-parts.ts')).ruleParts(stages),
    isLabelled: (agent) => agentMemory(config, agent).labeling.enabled,
  })
  return failed === 0 ? [] : [failedRuns(failed)]
}

function failedRuns(count: number): string {
  return `${plural(count, 'run')} of analyses failed; why: mnemonic health`
}

async function takeTerms({ store }: Stages, lease: Lease, signal: AbortSignal | undefined): Promise<void> {
  const waiting = await store.read.selectFrom('discussion_waiting').select('unit').limit(1).executeTakeFirst()
  if (waiting === undefined) return
  const { updateDiscussions } = await import('../analyze/discussions/update-discussions.ts')
  await updateDiscussions(store, { guard: lease.check, signal })
}

/** Lazy, because it needs names from address books. */
function ignoredEvents({ config, store }: Stages) {
  if (config.ignore.channels.length + config.ignore.contacts.length === 0) return undefined
  let made: ReturnType<typeof eventIgnorer> | undefined
  return async () => {
    made ??= (await import('../ingest/ignore-events.ts')).eventIgnorer(config, store.read)
    return made
  }
}

/** Keeps sources with findings, and derived ones with a switch. */
function withoutSilent(report: SyncReport, adapters: readonly Adapter[]): SyncReport {
  const derived = new Set(
    adapters.filter(({ derived, name }) => derived && DERIVED_SOURCES.some((own) => own === name)).map(({ name }) => name),
  )
  return {
    ...report,
    adapters: report.adapters.filter(({ name, found, removed, warnings }) => found + removed + warnings.length > 0 || derived.has(name)),
  }
}

/** Keeps the named sources and those with problems. */
function onlyNamed(report: SyncReport, names: ReadonlySet<string>): SyncReport {
  return {
    ...report,
    adapters: report.adapters.filter(({ name, quarantined, warnings }) => names.has(name) || quarantined + warnings.length > 0),
  }
}

function withWarnings(report: SyncReport, warnings: readonly string[]): SyncReport {
  return { ...report, totals: { ...report.totals, warnings: [...report.totals.warnings, ...warnings] } }
}
