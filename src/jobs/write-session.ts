/** Captures, analyzes and publishes one session. Idempotent. */
import { existsSync } from 'node:fs'
import { agentMemory } from '../config/agent-memory.ts'
import { given } from '../core/given.ts'
import { plural } from '../core/text.ts'
import type { AgentSearch } from '../roles/writer/agent/agent-calls.ts'
import type { AgentRun } from '../roles/writer/agent/agent-runs.ts'
import type { TakenTasks } from '../roles/writer/take-tasks.ts'
import type { WriterTaskKind } from '../roles/writer/writer-task.ts'
import type { Store } from '../store/store.ts'
import { runAnalyze } from './analyze.ts'
import { analyzeParts, ruleParts } from './analyze-parts.ts'
import { isEnabled } from './chosen-sources.ts'
import type { ForgetStages } from './forget.ts'
import { indexedArtifacts } from './indexed-artifacts.ts'
import type { JobHooks } from './options.ts'
import { capture } from './sync.ts'
import { type ByAgentOptions, writeByAgent } from './write-by-agent.ts'

export interface WrittenSession {
  readonly harness: string
  /** The harness's name for the session. */
  readonly session: string
  /** Ledger id; null if none. */
  readonly session_id: string | null
  readonly tasks: readonly WriterTaskKind[]
  /** failed: only on request. */
  readonly status: 'done' | 'skipped' | 'retry' | 'failed'
  readonly reason: string | null
  readonly records: number
  readonly paths: readonly string[]
  /** Only with `write.mode` `agent`. */
  readonly agent: readonly AgentRun[]
}

export type Written = Pick<WrittenSession, 'session_id' | 'status' | 'reason' | 'records' | 'paths' | 'agent'> & {
  readonly warnings: readonly string[]
}

export interface WriterParts extends Pick<ByAgentOptions, 'mayBegin' | 'retry'> {
  readonly searchOf: (agent: string) => AgentSearch
}

export async function writeSession(stages: ForgetStages, taken: TakenTasks, hooks: JobHooks, parts: WriterParts): Promise<Written> {
  const { config, store } = stages
  const { harness, session, log } = taken
  const skipped = (reason: string): Written => ({
    session_id: null,
    status: 'skipped',
    reason,
    records: 0,
    paths: [],
    agent: [],
    warnings: [],
  })
  if (!stages.adapters.some(({ name }) => name === harness)) return skipped(`there is no source ${harness}`)
  if (!isEnabled(config, harness) || !isEnabled(config, 'aix-agents')) return skipped(`the source ${harness} is switched off`)
  const ends = taken.tasks.some(({ kind }) => kind === 'publish')
  const over = { source: harness, nativeId: session }
  // Hooks queue `capture` after a turn, `publish` after a session.
  const turnEnded = !ends && taken.tasks.some(({ kind }) => kind === 'capture') ? over : undefined
  const report = await captureLog(stages, taken, { ended: ends ? over : undefined, turnEnded, ...hooks })
  const known = await sessionOf(store, taken)
  // Empty sessions have no log; ignored or forgotten ones are not in the ledger.
  if (known === undefined) return skipped(log !== undefined && !existsSync(log) ? 'it has no log' : 'nothing of it is in the ledger')
  const own: ForgetStages = { ...stages, config: { ...config, agent: known.agent_id } }
  const { mode } = agentMemory(own.config).write
  const { searchOf, ...asked } = parts
  const told = mode === 'agent' ? await writeByAgent(own, known.id, { ...asked, ...hooks, search: searchOf(known.agent_id) }) : undefined
  const asksModel = mode === 'model' || (told !== undefined && told.failed !== null)
  const analysed = await analyse(own, known.id, asksModel, hooks)
  const published = await publish(own, known, { ends, hooks })
  return {
    ...{ session_id: known.id, status: 'done', reason: null, records: report.records, paths: published.paths, agent: told?.runs ?? [] },
    warnings: [
      ...(told === undefined || told.failed === null
        ? []
        : [
            `the agent did not write ${known.id}: ${told.failed}; ${own.config.analyze.provider === 'rules' ? 'rules' : 'the model'} did instead`,
          ]),
      ...report.warnings,
      ...(analysed.totals.failed > 0 ? [`${plural(analysed.totals.failed, 'run')} of analyses failed; why: mnemonic health`] : []),
      ...(analysed.stopped === null ? [] : [`analyses were stopped: ${analysed.stopped}`]),
      ...published.warnings,
    ],
  }
}

async function analyse(stages: ForgetStages, session: string, asksModel: boolean, hooks: JobHooks) {
  if (asksModel) return runAnalyze(stages, { session, ...hooks }, await analyzeParts(stages))
  const { config } = stages
  const byRules = { ...stages, config: { ...config, analyze: { ...config.analyze, chunk_context: false } } }
  return runAnalyze(byRules, { session, ...hooks }, await ruleParts(stages))
}

type Ended = { readonly source: string; readonly nativeId: string } | undefined

/** Reads subagents too. If no log is named, reads the whole source. */
async function captureLog(
  stages: ForgetStages,
  { harness, log }: TakenTasks,
  options: JobHooks & { readonly ended: Ended; readonly turnEnded: Ended },
) {
  const derived = isEnabled(stages.config, 'aix-events') ? ['aix-events'] : []
  const named = log === undefined ? [] : [log, subagentsOf(log)].filter((path) => path !== undefined && existsSync(path))
  const runs: { readonly path?: string }[] = log === undefined ? [{}] : named.map((path) => given({ path }))
  // The session may still end.
  if (runs.length === 0 && options.ended !== undefined) runs.push({})
  let records = 0
  const warnings: string[] = []
  for (const where of runs) {
    const adapters = log !== undefined && named.length === 0 ? derived : [harness, ...derived]
    const { totals } = await capture(stages, { adapters, ...where, ...given(options), analyzeAll: false }, 'write')
    records += totals.records
    warnings.push(...totals.warnings)
  }
  return { records, warnings }
}

/** Claude Code names this folder like the log. */
function subagentsOf(log: string): string | undefined {
  return log.endsWith('.jsonl') ? `${log.slice(0, -'.jsonl'.length)}/subagents` : undefined
}

interface Known {
  readonly id: string
  readonly agent_id: string
}

/** Finds by native id, else by log; the newest. */
async function sessionOf(store: Store, { harness, session, log }: TakenTasks): Promise<Known | undefined> {
  const found = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'agent_id'])
    .where('source', '=', harness)
    .where('native_id', '=', session)
    .orderBy('last_message_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (found !== undefined || log === undefined) return found
  return store.read
    .selectFrom('sync_state as u')
    .innerJoin('agent_sessions as s', 's.id', 'u.session_id')
    .select(['s.id', 's.agent_id'])
    .where('u.adapter', '=', harness)
    .where('u.path', '=', log)
    .executeTakeFirst()
}

interface Publishing {
  /** If false, publishes only compactions. */
  readonly ends: boolean
  readonly hooks: JobHooks
}

async function publish(stages: ForgetStages, { id, agent_id }: Known, { ends, hooks }: Publishing) {
  const { store, clock, config, owner } = stages
  if (!ends && !(await hasCompactions(store, id))) return { paths: [], warnings: [] }
  const artifacts = indexedArtifacts(await stages.artifacts(agent_id, hooks), { store, clock, config, owner, hooks })
  const { results, failed } = await artifacts.publish({ session: id, compactions: !ends })
  return {
    paths: [...new Set(results.flatMap(({ status, paths }) => (status === 'published' ? paths : [])))],
    warnings: failed.map(({ session_id, error }) => `${session_id}: ${error}`),
  }
}

async function hasCompactions(store: Store, id: string): Promise<boolean> {
  const found = await store.read.selectFrom('agent_compactions').select('id').where('session_id', '=', id).limit(1).executeTakeFirst()
  return found !== undefined
}
