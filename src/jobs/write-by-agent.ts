import { MEMORY_WRITER } from '../analyze/memory-writer.ts'
import { agentMemory } from '../config/agent-memory.ts'
import { entityTypes } from '../graph/entity-types.ts'
import type { AgentSearch } from '../roles/writer/agent/agent-calls.ts'
import { agentProvider } from '../roles/writer/agent/agent-provider.ts'
import type { AgentRun } from '../roles/writer/agent/agent-runs.ts'
import { runAnalyze } from './analyze.ts'
import { ruleParts } from './analyze-parts.ts'
import type { JobHooks } from './options.ts'
import type { Stages } from './stages.ts'

export interface ByAgentOptions extends JobHooks {
  readonly search: AgentSearch
  /** Throws if none may start. */
  readonly mayBegin: () => void
  /** Includes work that failed too often. */
  readonly retry: boolean
}

export interface WrittenByAgent {
  readonly runs: readonly AgentRun[]
  /** Null if complete. */
  readonly failed: string | null
}

/** `config.agent` must be the session's agent. */
export async function writeByAgent(
  stages: Stages,
  session: string,
  { search, mayBegin, retry, ...hooks }: ByAgentOptions,
): Promise<WrittenByAgent> {
  const { store, clock, config } = stages
  const runs: AgentRun[] = []
  const model = agentProvider({
    ...{
      store,
      clock,
      memory: agentMemory(config),
      entityTypes: entityTypes(config.graph.entity_types),
      env: process.env,
      search,
      mayBegin,
    },
    onRun: (run) => runs.push(run),
  })
  const parts = { ...(await ruleParts(stages)), model }
  const { stopped, totals } = await runAnalyze(stages, { session, types: [MEMORY_WRITER], jobs: 1, retry, ...hooks }, parts)
  const reason = runs.findLast(({ status }) => status === 'failed')?.reason
  return { runs, failed: stopped ?? reason ?? (totals.failed > 0 ? 'its answer could not be written' : null) }
}
