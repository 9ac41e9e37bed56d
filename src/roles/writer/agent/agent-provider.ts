import type { Analyzer } from '../../../analyze/analyzer.ts'
import { byModel, implementationOf } from '../../../analyze/llm/by-model.ts'
import { isCut } from '../../../analyze/llm/conversation.ts'
import { conversationReader } from '../../../analyze/llm/conversation-reader.ts'
import { callEstimator } from '../../../analyze/llm/estimate-calls.ts'
import { type LanguageModel, modelFailed } from '../../../analyze/llm/language-model.ts'
import { paidModel } from '../../../analyze/llm/paid-model.ts'
import { memoryWriterPrompt } from '../../../analyze/llm/prompts/memory-writer.ts'
import { memoryFindings } from '../../../analyze/llm/read-episode.ts'
import { MEMORY_WRITER } from '../../../analyze/memory-writer.ts'
import type { ModelProvider } from '../../../analyze/run/model-provider.ts'
import type { AgentMemory } from '../../../config/agent-memory.ts'
import { type Caps, dailySpend } from '../../../store/spend.ts'
import { AGENT_CAP_KEYS, agentCaps } from './agent-caps.ts'
import { type AgentDriverOptions, agentDriver } from './agent-driver.ts'
import { agentProgram } from './any-program.ts'

export interface AgentProviderOptions extends Omit<AgentDriverOptions, 'program' | 'limits'> {
  readonly memory: AgentMemory
  /** Throws if no further run may begin. */
  readonly mayBegin?: (() => void) | undefined
}

export function agentProvider(options: AgentProviderOptions): ModelProvider {
  const { store, clock, entityTypes, memory } = options
  const { write, read } = memory
  const program = agentProgram(write.agent, write.agent_command)
  const limits = { seconds: write.agent_seconds, calls: write.agent_calls, writes: write.agent_writes, tokens: write.agent_tokens }
  const driver = agentDriver({ ...options, program, limits })
  const caps = agentCaps(memory)
  const spend = dailySpend({ store, clock, provider: driver.provider, model: driver.model, price: undefined, caps, reached })
  const paid = paidModel(driver, { store, clock, spend })
  const model: LanguageModel = {
    ...paid,
    // Before the run counts against the daily limits.
    async ask(question, signal) {
      options.mayBegin?.()
      return paid.ask(question, signal)
    },
  }
  const prompt = memoryWriterPrompt(entityTypes, limits.tokens)
  const conversations = conversationReader({ model, prompt, store, clock, personal: read.personal })
  const rule = `${implementationOf(model)}/${prompt.version}`
  const estimate = callEstimator({ store, conversations, price: undefined })

  const analyzer: Analyzer = byModel(
    { name: MEMORY_WRITER, version: prompt.version, reads: 'speech' },
    // Rules have already read the text; their findings are stored separately.
    { model, rules: undefined },
    async (episode, signal) => {
      const parts = await conversations.read(episode, MEMORY_WRITER, signal)
      return memoryFindings({ episode, parts, cut: isCut(episode), types: entityTypes, rule })
    },
  )

  return {
    implementation: implementationOf(model),
    async analyzer({ name }) {
      return name === MEMORY_WRITER ? analyzer : undefined
    },
    asks: (name) => (name === MEMORY_WRITER ? { prompt: prompt.instructions, model: model.model } : undefined),
    estimator: () => (_, episodes) =>
      estimate({ question: MEMORY_WRITER, of: 'conversation', instructions: prompt.instructions }, episodes),
  }
}

function reached(key: keyof Caps, limit: number): Error {
  const name = AGENT_CAP_KEYS[key]
  const message = `today's limit on runs of the agent is reached: ${name} is ${limit.toLocaleString('en-US')}`
  return modelFailed(
    message,
    { fault: 'cap', key: name, value: limit },
    { hint: `It goes on tomorrow (UTC); or raise ${name} in config.yaml.` },
  )
}
