import type { z } from 'zod'

interface EmbeddingChoice {
  readonly provider: 'minilm' | 'openai' | 'openai-compatible' | 'ollama' | 'google'
  readonly model?: string | undefined
  readonly dimensions?: number | undefined
  readonly base_url?: string | undefined
  readonly api_key_env?: string | undefined
}

interface AnalyzeChoice {
  readonly auto: boolean
  readonly provider: 'rules' | 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'ollama' | 'command'
  readonly model?: string | undefined
  readonly command?: readonly string[] | undefined
  readonly usd_per_million_input?: number | undefined
  readonly usd_per_million_output?: number | undefined
  readonly base_url?: string | undefined
  readonly api_key_env?: string | undefined
}

export function checkEmbeddingProvider(choice: EmbeddingChoice, ctx: z.RefinementCtx): void {
  if (choice.provider === 'minilm') {
    refuseBeside(choice, ['model', 'dimensions', 'base_url', 'api_key_env'], ctx)
    return
  }
  if (choice.provider !== 'openai') requireBeside(choice, ['model'], ctx)
  checkAccess(choice, ctx)
}

export function checkAnalyzeProvider(choice: AnalyzeChoice, ctx: z.RefinementCtx): void {
  if (choice.provider === 'rules') {
    refuseBeside(choice, ['model', 'command', 'base_url', 'api_key_env', ...PRICES], ctx)
    if (choice.auto) report(ctx, 'auto', 'needs a provider: there is no model to call', 'Name a provider beside it, or leave auto out.')
    return
  }
  const [known, other] = PRICES.filter((key) => choice[key] === undefined)
  if (known !== undefined && other === undefined) requireBeside(choice, [known], ctx)
  if (choice.provider === 'command') {
    requireBeside(choice, ['command'], ctx)
    refuseBeside(choice, ['base_url'], ctx)
    return
  }
  refuseBeside(choice, ['command'], ctx)
  requireBeside(choice, ['model'], ctx)
  checkAccess(choice, ctx)
}

/** Both or neither: one alone would underestimate the cost. */
const PRICES = ['usd_per_million_input', 'usd_per_million_output'] as const

export function withEmbeddingDefaults<T extends EmbeddingChoice>(choice: T): T {
  if (choice.provider !== 'openai' || choice.model !== undefined) return choice
  return { ...choice, model: 'text-embedding-3-small', dimensions: choice.dimensions ?? 1536 }
}

function checkAccess(choice: EmbeddingChoice | AnalyzeChoice, ctx: z.RefinementCtx): void {
  if (choice.provider === 'openai-compatible') requireBeside(choice, ['base_url'], ctx)
  // Self-hosted servers often need no key; commercial APIs always do.
  if (['openai', 'anthropic', 'google'].includes(choice.provider)) requireBeside(choice, ['api_key_env'], ctx)
}

const EXAMPLES: Readonly<Record<string, string>> = {
  base_url: 'http://127.0.0.1:8080/v1',
  model: 'NAME',
  command: '[claude, -p]',
  usd_per_million_input: '1',
  usd_per_million_output: '5',
}

const VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
}

function requireBeside(choice: { readonly provider: string }, keys: readonly string[], ctx: z.RefinementCtx): void {
  for (const key of keys) {
    if (settingOf(choice, key) !== undefined) continue
    const example = key === 'api_key_env' ? VARIABLES[choice.provider] : EXAMPLES[key]
    report(ctx, key, `is missing: provider ${choice.provider} needs it`, `Add "${key}: ${example ?? '…'}" beside it.`)
  }
}

function refuseBeside(choice: { readonly provider: string }, keys: readonly string[], ctx: z.RefinementCtx): void {
  for (const key of keys) {
    if (settingOf(choice, key) === undefined) continue
    report(ctx, key, `is not used by provider ${choice.provider}`, 'Name another provider beside it, or remove the key.')
  }
}

function settingOf(choice: object, key: string): unknown {
  return (choice as Record<string, unknown>)[key]
}

function report(ctx: z.RefinementCtx, key: string, problem: string, fix: string): void {
  ctx.addIssue({ code: 'custom', path: [key], message: problem, params: { fix } })
}
