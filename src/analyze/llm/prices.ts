/** List prices in dollars per million tokens. The configuration overrides them. */
import type { Price } from '../../store/spend.ts'

const PRICES: Readonly<Record<string, readonly [input: number, output: number]>> = {
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'claude-3-5-haiku': [0.8, 4],
  'claude-haiku-4-5': [1, 5],
  'claude-sonnet-4': [3, 15],
  'claude-sonnet-4-5': [3, 15],
  'claude-opus-4-1': [15, 75],
  'claude-opus-4-5': [5, 25],
  'gemini-2.5-flash-lite': [0.1, 0.4],
  'gemini-2.5-flash': [0.3, 2.5],
  'gemini-2.5-pro': [1.25, 10],
}

/** Suffixes of the same model: a date or "latest". Any other word is another model with another price. */
const SAME_MODEL = /^(?:-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3,4}|latest))?$/

export interface Priced {
  readonly provider: string
  readonly model?: string | undefined
  readonly usd_per_million_input?: number | undefined
  readonly usd_per_million_output?: number | undefined
}

export function priceOf({ provider, model, usd_per_million_input: input, usd_per_million_output: output }: Priced): Price | undefined {
  if (input !== undefined && output !== undefined) return { input, output }
  // A program is billed outside of Mnemonic.
  if (model === undefined || !['openai', 'anthropic', 'google'].includes(provider)) return undefined
  const known = Object.keys(PRICES).find((name) => model.startsWith(name) && SAME_MODEL.test(model.slice(name.length)))
  const [sent, received] = PRICES[known ?? ''] ?? []
  return sent === undefined || received === undefined ? undefined : { input: sent, output: received }
}
