/** The analyses that the configured model does, each with the rules that stand in for it, and what they would cost. */
import { estimateTokens } from '../../core/estimate-tokens.ts'
import type { Price } from '../../store/spend.ts'
import type { Analyzer, EpisodeText } from '../analyzer.ts'
import { CHUNK_CONTEXT } from '../chunk-context.ts'
import type { SentenceInput } from '../memory-sentence.ts'
import { implementationOf } from './by-model.ts'
import type { LanguageModel } from './language-model.ts'
import { CONTEXT_PROMPT } from './prompts/context.ts'
import { readingPrompt } from './prompts/reading.ts'
import { SESSION_PROMPT } from './prompts/session.ts'
import { contextByModel } from './read-context.ts'
import { customByModel } from './read-custom.ts'
import { READ_ANALYSES, type ReadAnalysis, readByModel } from './read-episode.ts'
import { sentenceByModel, summaryByModel } from './read-session.ts'

/** A type as its row says: of the owner's own the prompt and its facets. */
export interface AskedType {
  readonly name: string
  readonly version: string
  readonly prompt: string | null
  readonly facets: Readonly<Record<string, string>>
  /** The model that it asks for; the configured one when null. */
  readonly model: string | null
}

export interface ModelProviderOptions {
  /** The configured model, or another of the same provider. */
  readonly model: (name: string | null) => Promise<LanguageModel>
  readonly price: Price | undefined
  readonly entityTypes: readonly string[]
  readonly rules: (name: string) => Promise<Analyzer | undefined>
  readonly sentenceInput: (episode: EpisodeText) => SentenceInput | Promise<SentenceInput>
}

export interface Estimate {
  readonly calls: number
  readonly tokens: number
  /** Null where nobody knows the price. */
  readonly usd: number | null
}

/** Letters to a token, on average of what people and agents say. */
const UNITS_PER_TOKEN = 4
/** What answers have, on average: of what they are asked. */
const ANSWER_TOKENS = { reading: 500, session: 350, context: 300, custom: 300 } as const
/** The most of an episode that one call takes. */
const PART_UNITS = 40_000

export async function modelProvider(options: ModelProviderOptions) {
  const { model: open, price, entityTypes, rules, sentenceInput } = options
  const configured = await open(null)
  /** Analyses that ask the same are paid for once: what the first of them costs the others do not. */
  const counted = new Map<string, Estimate>()

  return {
    implementation: implementationOf(configured),

    async analyzer(type: AskedType): Promise<Analyzer | undefined> {
      const model = type.model === null ? configured : await open(type.model)
      const { name, prompt } = type
      if (prompt !== null) return customByModel({ ...type, prompt }, model)
      if (name === CHUNK_CONTEXT) return contextByModel(model)
      const stands = await rules(name)
      if (isRead(name)) return readByModel(name, { model, rules: stands, entityTypes })
      if (stands === undefined) return undefined
      if (name === 'session_summary') return summaryByModel({ model, rules: stands })
      return name === 'memory_sentence_v1' ? sentenceByModel({ model, rules: stands, sentenceInput }) : undefined
    },

    /** Before any call: of so many episodes that hold so much text. What was answered before costs less than this says. */
    estimate(type: AskedType, { episodes, units }: { readonly episodes: number; readonly units: number }): Estimate {
      const kind = kindOf(type)
      const question = kind === 'custom' ? `custom/${type.name}` : kind
      const prompts = { reading: readingPrompt(entityTypes), session: SESSION_PROMPT, context: CONTEXT_PROMPT }
      const instructions = kind === 'custom' ? (type.prompt ?? '') : prompts[kind].instructions
      // Of a session no more is sent than one call takes; another text takes as many calls as it needs.
      const calls = kind === 'session' ? episodes : Math.max(episodes, Math.ceil(units / PART_UNITS))
      const sent = kind === 'session' ? Math.min(units, episodes * PART_UNITS) : units
      const input = calls * estimateTokens(instructions) + sent / UNITS_PER_TOKEN
      const output = calls * ANSWER_TOKENS[kind]
      const usd = price === undefined ? null : (input * price.input + output * price.output) / 1e6
      const before = counted.get(question) ?? { calls: 0, tokens: 0, usd: price === undefined ? null : 0 }
      const all = {
        calls: Math.max(calls, before.calls),
        tokens: Math.max(Math.round(input + output), before.tokens),
        usd: most(usd, before.usd),
      }
      counted.set(question, all)
      return {
        calls: all.calls - before.calls,
        tokens: all.tokens - before.tokens,
        usd: all.usd === null ? null : all.usd - (before.usd ?? 0),
      }
    },
  }
}

function kindOf({ name, prompt }: AskedType): keyof typeof ANSWER_TOKENS {
  if (prompt !== null) return 'custom'
  if (name === CHUNK_CONTEXT) return 'context'
  return isRead(name) ? 'reading' : 'session'
}

function isRead(name: string): name is ReadAnalysis {
  return READ_ANALYSES.some((one) => one === name)
}

function most(a: number | null, b: number | null): number | null {
  return a === null ? b : Math.max(a, b ?? 0)
}
