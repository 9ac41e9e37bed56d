import type { Clock } from '../../core/clock.ts'
import type { Price } from '../../store/spend.ts'
import type { Store } from '../../store/store.ts'
import type { Analyzer, EpisodeText } from '../analyzer.ts'
import { CHUNK_CONTEXT } from '../chunk-context.ts'
import type { SentenceInput } from '../memory-sentence.ts'
import type { EpisodeToRead } from '../run/load-episodes.ts'
import { implementationOf } from './by-model.ts'
import { type ConversationReader, conversationReader } from './conversation-reader.ts'
import { callEstimator, type QuestionKind } from './estimate-calls.ts'
import type { LanguageModel } from './language-model.ts'
import { CONTEXT_PROMPT } from './prompts/context.ts'
import { conversationPrompt } from './prompts/conversation.ts'
import { SESSION_PROMPT } from './prompts/session.ts'
import { contextByModel } from './read-context.ts'
import { customByModel } from './read-custom.ts'
import { READ_ANALYSES, type ReadAnalysis, readByModel } from './read-episode.ts'
import { sentenceByModel, summaryByModel } from './read-session.ts'

export interface AskedType {
  readonly name: string
  readonly version: string
  readonly prompt: string | null
  readonly facets: Readonly<Record<string, string>>
  /** Null: the configured model. */
  readonly model: string | null
}

export interface ModelProviderOptions {
  readonly store: Store
  readonly clock: Clock
  readonly model: (name: string | null) => Promise<LanguageModel>
  readonly price: Price | undefined
  readonly entityTypes: readonly string[]
  readonly rules: (name: string) => Promise<Analyzer | undefined>
  readonly sentenceInput: (episode: EpisodeText) => SentenceInput | Promise<SentenceInput>
}

export async function modelProvider(options: ModelProviderOptions) {
  const { model: open, price, entityTypes, rules, sentenceInput, store, clock } = options
  const configured = await open(null)
  const prompt = conversationPrompt(entityTypes)
  const readers = new Map<LanguageModel, ConversationReader>()
  const readerOf = (model: LanguageModel) => {
    const reader = readers.get(model) ?? conversationReader({ model, prompt, store, clock })
    readers.set(model, reader)
    return reader
  }

  return {
    implementation: implementationOf(configured),

    async analyzer(type: AskedType): Promise<Analyzer | undefined> {
      const model = type.model === null ? configured : await open(type.model)
      const { name, prompt } = type
      if (prompt !== null) return customByModel({ ...type, prompt }, model)
      if (name === CHUNK_CONTEXT) return contextByModel(model)
      const stands = await rules(name)
      if (isRead(name)) return readByModel(name, { model, rules: stands, entityTypes, conversations: readerOf(model) })
      if (stands === undefined) return undefined
      if (name === 'session_summary') return summaryByModel({ model, rules: stands })
      return name === 'memory_sentence_v1' ? sentenceByModel({ model, rules: stands, sentenceInput }) : undefined
    },

    asks(name: string) {
      const isAsked = isRead(name) || name === CHUNK_CONTEXT || name === 'session_summary' || name === 'memory_sentence_v1'
      return isAsked ? { prompt: kindOf({ ...BUILT_IN, name }).instructions, model: configured.model } : undefined
    },

    /** One estimator per plan: a question shared by types counts once. */
    estimator() {
      const estimate = callEstimator({ store, conversations: readerOf(configured), price })
      return (type: AskedType, episodes: readonly EpisodeToRead[]) => estimate(kindOf(type), episodes)
    },
  }

  function kindOf({ name, prompt: own }: AskedType): QuestionKind {
    if (own !== null) return { question: `custom/${name}`, of: 'text', instructions: own }
    if (name === CHUNK_CONTEXT) return { question: 'context', of: 'text', instructions: CONTEXT_PROMPT.instructions }
    if (isRead(name)) return { question: 'conversation', of: 'conversation', instructions: prompt.instructions }
    return { question: 'session', of: 'session', instructions: SESSION_PROMPT.instructions }
  }
}

const BUILT_IN: Omit<AskedType, 'name'> = { version: '1', prompt: null, facets: {}, model: null }

function isRead(name: string): name is ReadAnalysis {
  return READ_ANALYSES.some((one) => one === name)
}
