import { expect, it } from 'vitest'
import { agentMemory } from './agent-memory.ts'
import { configSchema } from './schema.ts'

const config = configSchema.parse({
  agents: {
    defaults: { memory: { write: { frequency: 'session_end' } } },
    max: { memory: { read: { scope: 'all' }, write: { enabled: false, frequency: undefined } } },
  },
})

it('an agent has the defaults with its own settings over them', () => {
  expect(agentMemory(config, 'max')).toEqual({
    read: {
      enabled: true,
      scope: 'all',
      personal: 'named',
      max_tokens: 1500,
      brief_tokens: 1500,
      budget_ms: 400,
      on_failure: true,
      on_edit: true,
      on_command: true,
    },
    write: { ...config.agents.defaults.memory.write, enabled: false, frequency: 'session_end', every: 5 },
    labeling: { enabled: true },
  })
})

it('an agent that is not named, and all, have the defaults', () => {
  for (const agent of ['main', 'all', 'defaults', 'toString']) expect(agentMemory(config, agent)).toEqual(config.agents.defaults.memory)
  expect(agentMemory(config)).toEqual(config.agents.defaults.memory)
})
