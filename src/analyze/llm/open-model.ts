/** Opens the configured language model; none for `rules`. The environment never selects another. */
import type { Config } from '../../config/schema.ts'
import type { Clock } from '../../core/clock.ts'
import { MnemonicError } from '../../core/error.ts'
import type { Patience } from '../../embed/remote/try-again.ts'
import { type Caps, dailySpend } from '../../store/spend.ts'
import type { Store } from '../../store/store.ts'
import type { Driver } from './driver.ts'
import { commandDriver } from './drivers/command.ts'
import { type LanguageModel, modelFailed } from './language-model.ts'
import { paidModel } from './paid-model.ts'
import { priceOf } from './prices.ts'

export type AnalyzeConfig = Config['analyze']

export interface OpenModelOptions {
  readonly store: Store
  readonly clock: Clock
  /** Only the configured key variable is read from it. */
  readonly env?: NodeJS.ProcessEnv
  readonly configFile: string
  readonly patience?: Partial<Patience>
}

const ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/v1',
  'openai-compatible': '',
} as const

export async function openModel(config: AnalyzeConfig, options: OpenModelOptions): Promise<LanguageModel | undefined> {
  if (config.provider === 'rules') return undefined
  const { store, clock, patience } = options
  const driver = await openDriver(config, options)
  const { provider, model } = driver
  const spend = dailySpend({ store, clock, provider, model, price: priceOf(config), caps: config, reached })
  return paidModel(driver, { store, clock, spend, patience: { timeoutMs: config.timeout_seconds * 1000, ...patience } })
}

async function openDriver(config: AnalyzeConfig, options: OpenModelOptions): Promise<Driver> {
  const { provider, model, command, api_key_env: keyVariable } = config
  const { clock, env = process.env } = options
  if (provider === 'command') return commandDriver({ command: command ?? [], model, env, keyVariable })
  if (provider === 'rules' || model === undefined) throw new MnemonicError('INTERNAL', 'the configuration names no model')
  const { sdkDriver } = await import('./drivers/ai-sdk.ts')
  const address = addressOf(provider, config.base_url)
  return sdkDriver({ provider, model, address, clock, key: keyOf(keyVariable, env, options.configFile) })
}

/** Ollama users give the address without the OpenAI-compatible path. */
function addressOf(provider: keyof typeof ADDRESSES, base: string | undefined): string {
  const address = (base ?? ADDRESSES[provider]).replace(/\/+$/, '')
  return provider === 'ollama' && new URL(address).pathname === '/' ? `${address}/v1` : address
}

function keyOf(name: string | undefined, env: NodeJS.ProcessEnv, file: string): string | undefined {
  if (name === undefined) return undefined
  const key = env[name]?.trim()
  if (key) return key
  throw new MnemonicError('CONFIG_INVALID', `analyze.api_key_env names ${name}, and that variable is not set`, {
    details: { file, key: 'analyze.api_key_env', value: name },
    hint: `Set ${name} in the environment, or name another provider in ${file}.`,
  })
}

function reached(key: keyof Caps, limit: number): Error {
  const message = `today's limit on analyses is reached: analyze.${key} is ${limit.toLocaleString('en-US')}`
  const hint = `It goes on tomorrow (UTC); or raise analyze.${key} in config.yaml.`
  return modelFailed(message, { fault: 'cap', key: `analyze.${key}`, value: limit }, { hint })
}
