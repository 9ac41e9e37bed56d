/** The embedder that the configuration names. Whatever is in the environment, no other one is opened, and nothing is sent to choose it. */
import type { Paths } from '../config/paths.ts'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import type { Store } from '../store/store.ts'
import type { Embedder } from './embedder.ts'
import { loadMinilm } from './load-minilm.ts'
import type { RemoteModel } from './remote/call-model.ts'
import { knownModel } from './remote/models.ts'
import type { Patience } from './remote/try-again.ts'
import { dailySpend } from './spend.ts'

export type EmbeddingConfig = Config['embedding']

export interface OpenEmbedderOptions {
  readonly paths: Pick<Paths, 'models' | 'config'>
  /** Keeps what is spent, and knows what was embedded before. */
  readonly store: Store
  readonly clock: Clock
  /** Where the variable with the key is looked up: that of its name only. */
  readonly env?: NodeJS.ProcessEnv
  /** Threads of the embedded model; its own choice when absent. */
  readonly threads?: number
  readonly patience?: Partial<Patience>
}

const ADDRESSES: Readonly<Record<RemoteModel['provider'], string>> = {
  openai: 'https://api.openai.com/v1',
  'openai-compatible': '',
  ollama: 'http://127.0.0.1:11434/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** The provider and model of a configuration, known before anything is loaded. */
export function modelName({ provider, model }: EmbeddingConfig): { name: string; model: string } {
  return { name: provider, model: provider === 'minilm' ? 'all-MiniLM-L6-v2' : (model ?? '') }
}

export async function openEmbedder(config: EmbeddingConfig, options: OpenEmbedderOptions): Promise<Embedder> {
  const { provider } = config
  if (provider === 'minilm') {
    return loadMinilm({ modelsFolder: options.paths.models, ...(options.threads === undefined ? {} : { threads: options.threads }) })
  }
  const { model } = modelName(config)
  const key = keyOf(config, options)
  const { remoteEmbedder } = await import('./remote/remote-embedder.ts')
  const { store, clock, patience } = options
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
    spend: dailySpend({ store, clock, provider, model, usdPerMillion: knownModel(model).usdPerMillion, caps: config }),
  })
}

/** Ollama's own address is given without the path of its OpenAI-compatible side, as its users know it. */
function addressOf(provider: RemoteModel['provider'], base: string | undefined): string {
  const address = (base ?? ADDRESSES[provider]).replace(/\/+$/, '')
  return provider === 'ollama' && new URL(address).pathname === '/' ? `${address}/v1` : address
}

function keyOf({ api_key_env: name }: EmbeddingConfig, { env = process.env, paths }: OpenEmbedderOptions): string | undefined {
  if (name === undefined) return undefined
  const key = env[name]?.trim()
  if (key) return key
  throw new MnemonicError('CONFIG_INVALID', `embedding.api_key_env names ${name}, and that variable is not set`, {
    details: { file: paths.config, key: 'embedding.api_key_env', value: name },
    hint: `Set ${name} in the environment, or name another provider in ${paths.config}.`,
  })
}

/** How long the vectors of a model are, where it gave some before: a search need not ask it again. */
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
