import { describe, expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import { tokenCost } from './tokens.ts'

const TEXTS = [
  'The job queue stays in SQLite: Redis would be one more service to run, and nobody wants to be paged for it at night.',
  'In `src/store/sqlite/open.ts` the pragma `wal_autocheckpoint = 4000` is set before the first statement is prepared (see commit 3f9a41c).',
  'TestResolveTurnId fails with exit status 128: expected "c010174c:7", got "" after 12.5 seconds.',
  'Die Brücke über den Fluß wurde 1984 gesperrt, weil ihr Geländer rostete – seitdem fährt hier niemand mehr.',
  '缓存坏了，因为锁在第二次写入之后丢失了。',
]

describe('estimateTokens', () => {
  it('is near what the tokenizer counts, in sum and for each sentence', () => {
    const sum = (count: (text: string) => number) => TEXTS.reduce((all, text) => all + count(text), 0)
    expect(Math.abs(sum(estimateTokens) / sum(tokenCost) - 1)).toBeLessThan(0.1)
    for (const text of TEXTS) expect(Math.abs(estimateTokens(text) / tokenCost(text) - 1), text).toBeLessThan(0.35)
  })

  it('counts a word without an end by its length, and nothing as nothing', () => {
    expect(estimateTokens('x'.repeat(80_000))).toBeGreaterThanOrEqual(10_000)
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens(' \n')).toBe(1)
  })
})
