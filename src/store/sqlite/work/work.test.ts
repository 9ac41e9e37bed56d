import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { WORK_TOKENIZER } from './work.ts'

it('cuts words as the full-text index of tool work does', () => {
  const schema = readFileSync(new URL('../migrations/020_work.sql', import.meta.url), 'utf8')
  expect(schema).toContain(`tokenize = '${WORK_TOKENIZER}'`)
})
