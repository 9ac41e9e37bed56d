/** HTTP models through the AI SDK, loaded on the first call. One call is one request: no SDK retry, no redirect. */
import type { LanguageModel as SdkModel } from 'ai'
import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { given } from '../../../core/given.ts'
import { throwIfStopped } from '../../../core/stopped.ts'
import { callFailure, type Failure, timeoutFailure } from '../../../embed/remote/failure.ts'
import type { Call, Driver, Said } from '../driver.ts'
import { MODEL_CALLS } from '../language-model.ts'

export type SdkProvider = 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'ollama'

export interface SdkOptions {
  readonly provider: SdkProvider
  readonly model: string
  readonly address: string
  readonly key: string | undefined
  readonly clock: Clock
}

export function sdkDriver(options: SdkOptions): Driver {
  const { provider, model, address, clock } = options
  const target = { provider, model, address }
  /** Cleared if the server refuses schemas; the prompt states the shape too. */
  let takesSchema = true

  async function attempt(sdk: Loaded, call: Call, signal: AbortSignal, withSchema: boolean): Promise<Said> {
    const { generateText, Output, jsonSchema } = sdk.ai
    const schema = jsonSchema(z.toJSONSchema(call.schema, { target: 'draft-7' }) as Parameters<typeof jsonSchema>[0])
    try {
      const { text, usage } = await generateText({
        ...{ model: sdk.model, system: call.instructions, prompt: call.text, maxOutputTokens: call.longestAnswer, maxRetries: 0 },
        abortSignal: signal,
        // Local servers need an explicit temperature; others reject one.
        ...(provider === 'ollama' || provider === 'openai-compatible' ? { temperature: 0 } : {}),
        ...(withSchema ? { output: Output.object({ schema }) } : {}),
      })
      return { text, usage: counted(usage) }
    } catch (error) {
      const said = unparsed(error)
      if (said === undefined) throw error
      return said
    }
  }

  return {
    ...target,
    async call(call, { signal: stop, timeoutMs }) {
      // Load first: a slow import must not count as a hanging call, which keeps its reservation.
      const sdk = await load(options)
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = stop === undefined ? timeout : AbortSignal.any([stop, timeout])
      const once = async (withSchema: boolean): Promise<Said | { failure: Failure; status: number | undefined }> => {
        try {
          return await attempt(sdk, call, signal, withSchema)
        } catch (error) {
          throwIfStopped(stop, 'the call')
          const failure = timeout.aborted
            ? timeoutFailure(target, timeoutMs, MODEL_CALLS)
            : callFailure(error, target, clock(), MODEL_CALLS)
          return { failure, status: (error as { statusCode?: number }).statusCode }
        }
      }
      const first = await once(takesSchema)
      if (!('failure' in first) || !takesSchema || !(first.status === 400 || first.status === 422)) return first
      const second = await once(false)
      if (!('failure' in second)) takesSchema = false
      return second
    },
  }
}

type Loaded = { ai: typeof import('ai'); model: SdkModel }

const loaded = new WeakMap<SdkOptions, Promise<Loaded>>()

function load(options: SdkOptions): Promise<Loaded> {
  const known = loaded.get(options)
  if (known !== undefined) return known
  const made = (async () => {
    const ai = await import('ai')
    const sdk = globalThis as { AI_SDK_LOG_WARNINGS?: unknown }
    sdk.AI_SDK_LOG_WARNINGS ??= false // its warnings would go to stdout, which carries our answers
    return { ai, model: await modelOf(options) }
  })()
  loaded.set(options, made)
  return made
}

async function modelOf({ provider, model, address, key }: SdkOptions): Promise<SdkModel> {
  // Always set address and key, or the SDK reads them from the environment.
  const access = { baseURL: address, fetch: sameHost }
  // The older chat API: OpenAI does not store its input.
  if (provider === 'openai') return (await import('@ai-sdk/openai')).createOpenAI({ ...access, apiKey: key ?? '' }).chat(model)
  if (provider === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic({ ...access, apiKey: key ?? '' })(model)
  if (provider === 'google') return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ ...access, apiKey: key ?? '' })(model)
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...access, name: 'openaiCompatible', supportsStructuredOutputs: true, ...given({ apiKey: key }) })(model)
}

/** Text goes only to the configured address. */
const sameHost: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

interface SdkUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

function counted(usage: SdkUsage | undefined): Said['usage'] {
  const { inputTokens: input, outputTokens: output } = usage ?? {}
  return input === undefined || output === undefined || !Number.isFinite(input + output) || input + output === 0
    ? undefined
    : { input, output }
}

/** The SDK throws if the answer is not JSON. It was paid for, so it is judged like any other. */
function unparsed(error: unknown): Said | undefined {
  if (!(error instanceof Error) || error.name !== 'AI_NoObjectGeneratedError') return undefined
  const { text, usage } = error as Error & { text?: string; usage?: SdkUsage }
  return { text: text ?? '', usage: counted(usage) }
}
