/** What one agent may do with memory: the defaults, overridden by the settings of that agent. */
import { given } from '../core/given.ts'
import type { Config } from './schema.ts'

export type AgentMemory = Config['agents']['defaults']['memory']

/** `all`, and an agent that the configuration does not name, get the defaults. */
export function agentMemory(config: Config, agent: string = config.agent): AgentMemory {
  const { memory } = config.agents.defaults
  const own = agent !== 'defaults' && Object.hasOwn(config.agents, agent) ? config.agents[agent]?.memory : undefined
  return {
    read: { ...memory.read, ...given(own?.read) },
    write: { ...memory.write, ...given(own?.write) },
    labeling: { ...memory.labeling, ...given(own?.labeling) },
  }
}
