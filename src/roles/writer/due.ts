/** Whether a turn that ended is written to memory now, by the frequency that the configuration names. */
import type { AgentMemory } from '../../config/agent-memory.ts'

export interface SessionState {
  /** Turns of the session that ended since it was last captured, the one that ends now included. */
  readonly turns: number
}

/** False too where the agent writes nothing at all. The end of a session is asked for with `writes`. */
export function isDue(write: AgentMemory['write'], { turns }: SessionState): boolean {
  if (!writes(write)) return false
  if (write.frequency === 'every_turn') return true
  return write.frequency === 'every_n_turns' && turns >= write.every
}

/** Whether anything of an agent's sessions is written by hooks: then the end of a session and a compaction are. */
export function writes({ enabled, frequency }: AgentMemory['write']): boolean {
  return enabled && frequency !== 'off'
}
