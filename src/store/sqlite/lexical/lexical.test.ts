import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TOKENIZER } from './stemmer.ts'

it('words are cut as the index cuts them', () => {
  const schema = readFileSync(new URL('../migrations/004_index.sql', import.meta.url), 'utf8')
  expect(schema).toContain(`tokenize = '${TOKENIZER}'`)
})
