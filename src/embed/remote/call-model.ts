/** One call to a provider through the AI SDK. The SDK is loaded by the first call, and never with the embedded model. */

import type { EmbeddingModel, JSONValue } from 'ai'
import { given } from '../../core/given.ts'
import type { EmbedOptions } from '../embedder.ts'

export interface RemoteModel {
  readonly provider: 'openai' | 'openai-compatible' | 'ollama' | 'google'
  readonly model: string
  /** Asked of the provider only where the configuration names it. */
  readonly dimensions: number | undefined
  readonly address: string
  readonly key: string | undefined
}

export interface Answer {
  readonly embeddings: readonly (readonly number[])[]
  /** Tokens as the provider counted them, where it says so. */
  readonly tokens: number | undefined
}

export type CallModel = (
  texts: string[],
  options: { signal: AbortSignal; purpose: NonNullable<EmbedOptions['purpose']> },
) => Promise<Answer>

/** A call is one request: no retry of the SDK's own, no redirect to another host, no word on the console. */
export function callModel(remote: RemoteModel): CallModel {
  let loaded: ReturnType<typeof load> | undefined
  return async (texts, { signal, purpose }) => {
    loaded ??= load(remote)
    const { embedMany, model } = await loaded
    const { embeddings, usage, responses } = await embedMany({
      model,
      values: texts,
      maxRetries: 0,
      abortSignal: signal,
      providerOptions: optionsFor(remote, purpose),
    })
    const tokens = Number.isFinite(usage.tokens) ? usage.tokens : undefined
    return { embeddings: inOrder(embeddings, responses?.[0]?.body), tokens }
  }
}

async function load(remote: RemoteModel): Promise<{ embedMany: typeof import('ai').embedMany; model: EmbeddingModel }> {
  const { embedMany } = await import('ai')
  const sdk = globalThis as { AI_SDK_LOG_WARNINGS?: unknown }
  sdk.AI_SDK_LOG_WARNINGS ??= false // its warnings would go to stdout, which carries our answers
  return { embedMany, model: await modelOf(remote) }
}

async function modelOf({ provider, model, address, key }: RemoteModel): Promise<EmbeddingModel> {
  // Address and key are always given: otherwise the SDK would look for them in the environment.
  const access = { baseURL: address, fetch: sameHost }
  if (provider === 'openai') return (await import('@ai-sdk/openai')).createOpenAI({ ...access, apiKey: key ?? '' }).embedding(model)
  if (provider === 'google')
    return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ ...access, apiKey: key ?? '' }).embedding(model)
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...access, name: 'openaiCompatible', ...given({ apiKey: key }) }).embeddingModel(model)
}

/** Text is sent to the address in the configuration and nowhere else. */
const sameHost: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

function optionsFor({ provider, dimensions }: RemoteModel, purpose: 'document' | 'query'): Record<string, Record<string, JSONValue>> {
  const length = dimensions === undefined ? {} : { dimensions }
  if (provider === 'openai') return { openai: length }
  if (provider !== 'google') return { openaiCompatible: length }
  const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
  return { google: { taskType, ...given({ outputDimensionality: dimensions }) } }
}

/** Servers of the OpenAI kind number their vectors; one that answers out of order is put right. */
function inOrder(embeddings: readonly (readonly number[])[], body: unknown): readonly (readonly number[])[] {
  const data = (body as { data?: unknown } | undefined)?.data
  if (!Array.isArray(data) || data.length !== embeddings.length) return embeddings
  const indexes = data.map((item: unknown) => (item as { index?: unknown } | null)?.index)
  const sorted = indexes.every((index) => typeof index === 'number') ? (indexes as number[]).toSorted((a, b) => a - b) : []
  if (sorted.length === 0 || !sorted.every((index, i) => index === i)) return embeddings
  const ordered: (readonly number[])[] = []
  for (const [i, index] of indexes.entries()) ordered[index as number] = embeddings[i] as readonly number[]
  return ordered
}
