/** Whether a turn that ended is written to memory now, by the frequency that the configuration names. */
import type { AgentMemory } from '../../config/agent-memory.ts'

export interface SessionState {
  /** Turns of the session that ended since it was last captured, the one that ends now included. */
  readonly turns: number
}

/** False too where the agent writes nothing at all. Of the end of a session and of compactions `writes` decides. */
export function isDue(write: AgentMemory['write'], { turns }: SessionState): boolean {
  const at = dueAt(write)
  return writes(write) && at !== null && turns >= at
}

/** After so many turns; null: at the end of the session only. */
export function dueAt({ frequency, every }: AgentMemory['write']): number | null {
  if (frequency === 'every_turn') return 1
  return frequency === 'every_n_turns' ? every : null
}

/** Whether anything of an agent's sessions is written by hooks: then the end of a session and a compaction are. */
export function writes({ enabled, frequency }: AgentMemory['write']): boolean {
  return enabled && frequency !== 'off'
}
