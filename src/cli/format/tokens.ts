/** Numbers of tokens for people: short, and what the source recorded apart from what Mnemonic counted. */
import type { SessionSummary } from '../../library/index.ts'

/** 950, 12.3k, 4.6M. */
export function short(count: number): string {
  for (const [unit, size] of [
    ['B', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (count >= size * 0.9995) return `${count >= size * 99.95 ? Math.round(count / size) : Number((count / size).toFixed(1))}${unit}`
  }
  return String(count)
}

/** "12.3k tokens (recorded: 1.2M in, 30k out, 900k from cache)". */
export function tokens({ token_count, usage }: Pick<SessionSummary, 'token_count' | 'usage'>): string {
  const said = `${short(token_count)} tokens`
  if (usage === null) return said
  const parts = [
    [usage.input_tokens, 'in'],
    [usage.output_tokens, 'out'],
    [usage.reasoning_tokens, 'reasoning'],
    [usage.cache_read_tokens, 'from cache'],
    [usage.cache_write_tokens, 'to cache'],
  ] as const
  const recorded = parts.flatMap(([count, what]) => (count === null || count === 0 ? [] : [`${short(count)} ${what}`]))
  return recorded.length === 0 ? said : `${said} (recorded: ${recorded.join(', ')})`
}
