import { describe, expect, it } from 'vitest'
import { hasKeyPrefix, looksLikeKey, mayHoldSecret } from './secret-value.ts'

describe('looksLikeKey', () => {
  it.each([
    'OPENAI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'ANTHROPIC_API_KEY',
    'MY_PROXY_2_KEY_2024',
    'AZURE_OPENAI_GPT4_EASTUS2_API_KEY',
    'openai_key',
    'KEY',
  ])('%s is the name of a variable', (name) => {
    expect(looksLikeKey(name)).toBe(false)
  })

  it.each([
    'sk-ant-api03-abcdefgh',
    'sk_live_abcdefgh1234',
    'ghp_abcdefghijklmnop',
    'AIzaSyA1234567890abcdef',
    'AKIAIOSFODNN7EXAMPLE',
    'xoxb-123456789012-abc',
    'gsk_abcdefgh12345678',
    'hf_abcdefghijklmnop',
    'Bearer abcdefgh12345',
    'eyJhbGciOi.eyJzdWIiOi.abc-def',
    '-----BEGIN PRIVATE KEY-----',
    'a1b2c3d4e5f6a7b8c9d0e1f2',
    'Xy12Zz98Qw34Er56',
  ])('%s is a key', (key) => {
    expect(looksLikeKey(key)).toBe(true)
  })
})

it('a name, an address or a zone has no prefix of a key', () => {
  for (const text of ['Ada Lovelace', 'ada@example.org', 'Europe/Berlin', 'text-embedding-3-small', 'skeleton-of-a-thing', 'main']) {
    expect(hasKeyPrefix(text)).toBe(false)
  }
})

it('numbers of tokens are no secrets', () => {
  expect(['embedding.api_key_env', 'analyze.base_url', 'analyze.daily_tokens', 'index.max_chunk_tokens'].map(mayHoldSecret)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
