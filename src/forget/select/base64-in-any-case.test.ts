import { expect, it } from 'vitest'
import { base64InAnyCase } from './base64-in-any-case.ts'

it('finds every letter case of a word, wherever it begins, in both alphabets', () => {
  const word = 'hEron-7ä'
  const found = base64InAnyCase([word])
  for (const before of ['', '>', '??', 'a longer text '])
    for (let cases = 0; cases < 32; cases++) {
      const other = [...word].map((one, at) => (cases & (1 << at) ? one.toUpperCase() : one.toLowerCase())).join('')
      const value = `${before}${other.replace('Ä', 'ä')}~?`
      for (const encoding of ['base64', 'base64url'] as const) expect(found?.test(Buffer.from(value).toString(encoding))).toBe(true)
    }
})

it('passes over ids, and other texts in base64', () => {
  const found = base64InAnyCase(['heron'])
  expect(found?.test('claude-code:0c5f6c1e-2a77-4b67-a1f5-6f1a3dd6b9c2:0c5f6c1e-2a77')).toBe(false)
  expect(found?.test(Buffer.from('the heren flies over the lane, and again').toString('base64'))).toBe(false)
})

it('says nothing of a word that is too short to be told from anything', () => {
  expect(base64InAnyCase(['ab'])).toBeUndefined()
})
