/** The limits of a day on runs of the memory-writer's agent, as those of models are kept. */
import type { AgentMemory } from '../../../config/agent-memory.ts'
import type { Caps } from '../../../store/spend.ts'

/** What a subscription costs is not known here: runs and tokens are limited. */
export function agentCaps({ write }: AgentMemory): Caps {
  return { daily_tokens: write.agent_daily_tokens, daily_calls: write.agent_daily_runs, daily_usd: Number.POSITIVE_INFINITY }
}

/** The keys as the configuration has them. */
export const AGENT_CAP_KEYS: Readonly<Record<keyof Caps, string>> = {
  daily_tokens: 'write.agent_daily_tokens',
  daily_calls: 'write.agent_daily_runs',
  daily_usd: 'write.agent_daily_tokens',
}
