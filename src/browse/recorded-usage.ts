/** Token usage reported by a source, summed over the messages of a session. */
import type { Store } from '../store/store.ts'
import type { RecordedUsage } from './browse.ts'

/** Names of the same number in different harnesses; the first present counts. */
const NAMES: Readonly<Record<keyof RecordedUsage, readonly string[]>> = {
  input_tokens: ['input_tokens', 'input', 'inputTokens', 'prompt_tokens', 'promptTokenCount'],
  output_tokens: ['output_tokens', 'output', 'outputTokens', 'completion_tokens', 'candidatesTokenCount'],
  cache_read_tokens: [
    ...['cache_read_input_tokens', 'cached_input_tokens', 'cache_read_tokens', 'cacheReadTokens', 'cacheRead', 'cached', 'cache.read'],
    'cachedContentTokenCount',
  ],
  cache_write_tokens: ['cache_creation_input_tokens', 'cache_write_tokens', 'cacheWriteTokens', 'cacheWrite', 'cache.write'],
  reasoning_tokens: ['reasoning_output_tokens', 'reasoning_tokens', 'reasoning', 'thoughts', 'thoughtsTokenCount'],
}
const KINDS = Object.keys(NAMES) as (keyof RecordedUsage)[]

const BATCH = 100

export async function recordedUsage(store: Store, sessionIds: readonly string[]): Promise<Map<string, RecordedUsage>> {
  const sums = new Map<string, RecordedUsage>()
  for (let i = 0; i < sessionIds.length; i += BATCH) {
    for (const { session_id, usage } of await store.rows.usage(sessionIds.slice(i, i + BATCH))) {
      const said = numbersOf(usage)
      if (said !== undefined) sums.set(session_id, added(sums.get(session_id), said))
    }
  }
  return sums
}

function numbersOf(json: string): RecordedUsage | undefined {
  const usage = parsed(json)
  if (usage === undefined) return undefined
  const numbers = KINDS.map((kind) => [kind, NAMES[kind].map((name) => at(usage, name)).find((value) => value !== null) ?? null] as const)
  return numbers.every(([, value]) => value === null) ? undefined : (Object.fromEntries(numbers) as unknown as RecordedUsage)
}

function parsed(json: string): object | undefined {
  try {
    return JSON.parse(json) as object
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function at(usage: object, name: string): number | null {
  const value = name.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | null | undefined)?.[key], usage)
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

function added(sum: RecordedUsage | undefined, more: RecordedUsage): RecordedUsage {
  if (sum === undefined) return more
  const plus = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b)
  return Object.fromEntries(KINDS.map((kind) => [kind, plus(sum[kind], more[kind])])) as unknown as RecordedUsage
}
