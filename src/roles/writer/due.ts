import type { AgentMemory } from '../../config/agent-memory.ts'

export interface SessionState {
  /** Ended turns since the last capture, this one included. */
  readonly turns: number
}

export function isDue(write: AgentMemory['write'], { turns }: SessionState): boolean {
  const at = dueAt(write)
  return writes(write) && at !== null && turns >= at
}

/** Number of turns; null: only at the end of the session. */
export function dueAt({ frequency, every }: AgentMemory['write']): number | null {
  if (frequency === 'every_turn') return 1
  return frequency === 'every_n_turns' ? every : null
}

/** Whether hooks write anything; if so, ends of sessions and compactions are written. */
export function writes({ enabled, frequency }: AgentMemory['write']): boolean {
  return enabled && frequency !== 'off'
}
