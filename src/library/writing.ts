import { given } from '../core/given.ts'
import type { WriteOptions, WriteReport } from '../jobs/write.ts'
import type { AgentSearch } from '../roles/writer/agent/agent-calls.ts'
import type { Hints } from './agent-text.ts'
import { type Home, once } from './open-home.ts'

export async function write(home: Home, options: WriteOptions = {}): Promise<WriteReport> {
  const { runWrite } = await import('../jobs/write.ts')
  const stages = await home.stages(options.signal)
  const { takeHookTraces } = await import('./hook-traces.ts')
  await takeHookTraces(home).catch(() => undefined) // they stay for the next run
  return runWrite(stages, options, (agent) => searchOf(home, agent))
}

/** Search for the writer's agent: this memory only, redacted, with the personal data that `read.personal` permits. */
function searchOf(home: Home, agent: string): AgentSearch {
  const opened = once(async () => {
    const { agentMemory } = await import('../config/agent-memory.ts')
    const { reading } = await import('./reading.ts')
    const config = { ...home.config, agent }
    return { ...reading({ ...home, config }, undefined), personal: agentMemory(config).read.personal }
  })
  return async ({ question, limit, ...filters }, signal) => {
    const { memorySearch, personal } = await opened.get()
    const found = await memorySearch({ query: question, limit, personal, filters: given(filters), ...given({ signal }) })
    const { searchForAgent } = await import('./agent-text.ts')
    return searchForAgent(found, { now: home.clock(), hints: NARROWER })
  }
}

/** The agent has no other way to read on. */
const less = () => 'search for less'
const NARROWER: Hints = { read: less, before: less, readHit: less, nearest: 'search for less' }
