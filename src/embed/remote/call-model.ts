import type { EmbeddingModel, JSONValue } from 'ai'
import { given } from '../../core/given.ts'
import type { EmbedOptions } from '../embedder.ts'

export interface RemoteModel {
  readonly provider: 'openai' | 'openai-compatible' | 'ollama' | 'google'
  readonly model: string
  readonly dimensions: number | undefined
  readonly address: string
  readonly key: string | undefined
}

export interface Answer {
  readonly embeddings: readonly (readonly number[])[]
  readonly tokens: number | undefined
}

export type CallModel = (
  texts: string[],
  options: { signal: AbortSignal; purpose: NonNullable<EmbedOptions['purpose']> },
) => Promise<Answer>

/** One request per call: no SDK retries, no redirects, no console output. */
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
  sdk.AI_SDK_LOG_WARNINGS ??= false // warnings would go to stdout, which carries our answers
  return { embedMany, model: await modelOf(remote) }
}

async function modelOf({ provider, model, address, key }: RemoteModel): Promise<EmbeddingModel> {
  // Always explicit, or the SDK reads them from the environment.
  const access = { baseURL: address, fetch: sameHost }
  if (provider === 'openai') return (await import('@ai-sdk/openai')).createOpenAI({ ...access, apiKey: key ?? '' }).embedding(model)
  if (provider === 'google')
    return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ ...access, apiKey: key ?? '' }).embedding(model)
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...access, name: 'openaiCompatible', ...given({ apiKey: key }) }).embeddingModel(model)
}

/** Text must reach only the configured address. */
const sameHost: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

function optionsFor({ provider, dimensions }: RemoteModel, purpose: 'document' | 'query'): Record<string, Record<string, JSONValue>> {
  const length = dimensions === undefined ? {} : { dimensions }
  if (provider === 'openai') return { openai: length }
  if (provider !== 'google') return { openaiCompatible: length }
  const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
  return { google: { taskType, ...given({ outputDimensionality: dimensions }) } }
}

/** OpenAI-compatible servers may answer out of order; sort by `index`. */
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
