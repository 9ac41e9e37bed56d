import { MnemonicError } from '../../core/error.ts'
import { type Caps, dailySpend } from '../../store/spend.ts'
import type { Store } from '../../store/store.ts'
import { type Embedder, embeddingFailed } from '../embedder.ts'
import { type EmbeddingConfig, modelName, type OpenEmbedderOptions } from '../embedding-options.ts'
import type { RemoteModel } from './call-model.ts'
import { knownModel } from './models.ts'
import { remoteEmbedder } from './remote-embedder.ts'

const ADDRESSES: Readonly<Record<RemoteModel['provider'], string>> = {
  openai: 'https://api.openai.com/v1',
  'openai-compatible': '',
  ollama: 'http://127.0.0.1:11434/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

export async function openRemote(
  provider: RemoteModel['provider'],
  config: EmbeddingConfig,
  options: OpenEmbedderOptions,
): Promise<Embedder> {
  const { model } = modelName(config)
  const key = keyOf(config, options)
  const { clock, patience } = options
  const store = await options.store()
  return remoteEmbedder({
    provider,
    model,
    key,
    address: addressOf(provider, config.base_url),
    dimensions: config.dimensions,
    seenDimensions: await seenDimensions(store, { provider, model }),
    batchSize: config.batch_size,
    clock,
    patience,
    spend: dailySpend({ store, clock, provider, model, price: priceOf(model), caps: capsOf(config), reached }),
  })
}

function priceOf(model: string): { input: number; output: number } | undefined {
  const { usdPerMillion } = knownModel(model)
  return usdPerMillion === undefined ? undefined : { input: usdPerMillion, output: 0 }
}

function capsOf({ daily_tokens, daily_usd }: EmbeddingConfig): Caps {
  return { daily_tokens, daily_usd }
}

function reached(key: keyof Caps, limit: number): Error {
  const message = `today's limit on embedding is reached: embedding.${key} is ${limit.toLocaleString('en-US')}`
  const hint = `It goes on tomorrow (UTC); or raise embedding.${key} in config.yaml.`
  return embeddingFailed(message, { fault: 'cap', key: `embedding.${key}`, value: limit }, { hint })
}

/** Users give Ollama's base address, without the path of its OpenAI API. */
function addressOf(provider: RemoteModel['provider'], base: string | undefined): string {
  const address = (base ?? ADDRESSES[provider]).replace(/\/+$/, '')
  return provider === 'ollama' && new URL(address).pathname === '/' ? `${address}/v1` : address
}

/** Reads the API key only from the configured variable. */
function keyOf({ api_key_env: name }: EmbeddingConfig, { env = process.env, paths }: OpenEmbedderOptions): string | undefined {
  if (name === undefined) return undefined
  const key = env[name]?.trim()
  if (key) return key
  throw new MnemonicError('CONFIG_INVALID', `embedding.api_key_env names ${name}, and that variable is not set`, {
    details: { file: paths.config, key: 'embedding.api_key_env', value: name },
    hint: `Set ${name} in the environment, or name another provider in ${paths.config}.`,
  })
}

/** From earlier vectors, which saves a probe call. */
async function seenDimensions(store: Store, { provider, model }: { provider: string; model: string }): Promise<number | undefined> {
  const row = await store.read
    .selectFrom('embedding_configs')
    .select('dimensions')
    .where('name', 'like', `${provider}%`)
    .where('model', '=', model)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.dimensions
}
