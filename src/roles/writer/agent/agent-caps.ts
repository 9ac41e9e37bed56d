import type { AgentMemory } from '../../../config/agent-memory.ts'
import type { Caps } from '../../../store/spend.ts'

/** Limits runs and tokens: the cost of a subscription is unknown. */
export function agentCaps({ write }: AgentMemory): Caps {
  return { daily_tokens: write.agent_daily_tokens, daily_calls: write.agent_daily_runs, daily_usd: Number.POSITIVE_INFINITY }
}

export const AGENT_CAP_KEYS: Readonly<Record<keyof Caps, string>> = {
  daily_tokens: 'write.agent_daily_tokens',
  daily_calls: 'write.agent_daily_runs',
  daily_usd: 'write.agent_daily_tokens',
}
