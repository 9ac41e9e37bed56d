/** Several processes may analyze at once; no other job waits for them. */

import { CHUNK_CONTEXT } from '../analyze/chunk-context.ts'
import { MEMORY_WRITER } from '../analyze/memory-writer.ts'
import { describeTypes } from '../analyze/run/analysis-type.ts'
import type { GraphWriter } from '../analyze/run/found-by.ts'
import type { ModelProvider } from '../analyze/run/model-provider.ts'
import { estimateRuns, planAnalyses, type WaitingType } from '../analyze/run/plan.ts'
import type { RuleAnalyzers } from '../analyze/run/rule-analyzers.ts'
import { runAnalyses, type TypeReport } from '../analyze/run/run-analyses.ts'
import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import { parseWhen } from '../core/time.ts'
import { currentRules } from '../episodes/update.ts'
import { followChunkContext } from '../index/follow-chunk-context.ts'
import { threadIdOf } from '../ingest/events/turn-events.ts'
import { resolveSession } from '../ledgers/resolve.ts'
import { logged } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { followGraph } from './follow-graph.ts'
import type { JobHooks } from './options.ts'
import { jobAgent, type Stages } from './stages.ts'

export interface AnalyzeOptions extends JobHooks {
  readonly types?: readonly string[]
  readonly limit?: number
  /** A date, an ISO time, or "3 days ago". */
  readonly since?: string
  /** By id, label or unique prefix. */
  readonly session?: string
  /** Includes exhausted failures and rule-based stand-ins. */
  readonly retry?: boolean
  /** Estimates runs and cost. */
  readonly dryRun?: boolean
  /** Concurrent model runs. */
  readonly jobs?: number
  /** Called once, before the first run. */
  readonly onEstimate?: (waiting: readonly WaitingType[]) => void
}

export interface AnalyzeReport {
  readonly dry_run: boolean
  /** At the start. */
  readonly waiting: readonly WaitingType[]
  readonly types: readonly TypeReport[]
  readonly totals: { readonly completed: number; readonly failed: number; readonly fallbacks: number; readonly facets: number }
  readonly left: number
  /** Null if it finished. */
  readonly stopped: string | null
  readonly warnings: readonly string[]
}

export interface AnalyzeParts {
  readonly rules: RuleAnalyzers
  readonly model?: ModelProvider | undefined
  readonly writeGraph?: GraphWriter | undefined
}

export async function runAnalyze(
  stages: Stages,
  options: AnalyzeOptions,
  { rules: byRules, model, writeGraph }: AnalyzeParts,
): Promise<AnalyzeReport> {
  const { store, config, clock, owner } = stages
  const { types: names, dryRun = false, limit, signal, onProgress, retry, jobs = config.analyze.concurrency } = options
  const now = clock()
  const since = options.since === undefined ? undefined : parseWhen(options.since, { timezone: owner.timezone, now })
  const rules = await currentRules(store, { guard: async () => {}, clock })
  const onlyNamed = [MEMORY_WRITER, ...(config.analyze.chunk_context ? [] : [CHUNK_CONTEXT])]
  const { planned, unable } = await planAnalyses(store, { names, model, rules: byRules, onlyNamed, now })
  const agentId = config.agent === 'all' ? undefined : config.agent
  const threads = options.session === undefined ? undefined : await threadsOf(store, options.session, agentId)
  const isLabelled = (agent: string) => agentMemory(config, agent).labeling.enabled
  const run = { clock, rules, agentId, isLabelled, since, threads, retry, limit, jobs, signal, onProgress, writeGraph }
  const waiting = await estimateRuns(store, planned, { ...run, model })
  options.onEstimate?.(waiting)
  const total = Math.min(sum(waiting.map(({ episodes }) => episodes)), limit ?? Number.POSITIVE_INFINITY)
  const warnings = unable.map(({ name }) => `${name} asks a model, and none is configured (analyze.provider): it was left out`)
  const none = { completed: 0, failed: 0, fallbacks: 0, facets: 0 }
  if (dryRun || total === 0) return { dry_run: dryRun, waiting, types: [], totals: none, left: total, stopped: null, warnings }
  if (model?.asks !== undefined) await describeTypes(store, model.asks, now)
  return logged(store, { kind: 'analyze', agentId: jobAgent(config), clock }, async (note) => {
    const { types, stopped = null } = await runAnalyses(store, planned, { ...run, total })
    await followGraph(stages, { guard: async () => {}, signal })
    await followChunkContext(store, { guard: async () => {}, signal })
    const of = (key: keyof typeof none) => sum(types.map((type) => type[key]))
    const totals = { completed: of('completed'), failed: of('failed'), fallbacks: of('fallbacks'), facets: of('facets') }
    note.items = totals.completed
    note.details = { ...totals, ...given({ stopped: stopped ?? undefined }) }
    const left = sum((await estimateRuns(store, planned, { ...run, limit: undefined })).map(({ episodes }) => episodes))
    return { dry_run: false, waiting, types: types.filter((type) => type.completed + type.failed > 0), totals, left, stopped, warnings }
  })
}

async function threadsOf(store: Store, session: string, agentId: string | undefined): Promise<string[]> {
  const { id } = await resolveSession(store, session, agentId)
  return [id, threadIdOf({ id })]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
