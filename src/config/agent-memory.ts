import { given } from '../core/given.ts'
import type { Config } from './schema.ts'

export type AgentMemory = Config['agents']['defaults']['memory']

/** `all` and an agent without settings of its own get the defaults. */
export function agentMemory(config: Config, agent: string = config.agent): AgentMemory {
  const { memory } = config.agents.defaults
  const own = agent !== 'defaults' && Object.hasOwn(config.agents, agent) ? config.agents[agent]?.memory : undefined
  return {
    read: { ...memory.read, ...given(own?.read) },
    write: { ...memory.write, ...given(own?.write) },
    labeling: { ...memory.labeling, ...given(own?.labeling) },
  }
}
