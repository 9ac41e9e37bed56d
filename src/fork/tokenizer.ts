/** o200k. Loading takes 0.25 s and 60 MB, so only forks do it. */
import type { CountTokens } from './fork-context.ts'

export async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Special token names in a text are plain text.
  const asText = { disallowedSpecial: new Set<string>() }
  return (text) => (text === '' ? 0 : countTokens(text, asText))
}
