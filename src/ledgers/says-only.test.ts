import { describe, expect, it } from 'vitest'
import { saysOnly } from './says-only.ts'

const ORIGIN = 'Do not delete the table.\nUse the key sk-12 for it. Then tell me.'

describe('a copied prompt', () => {
  it.each([
    ['the same', ORIGIN],
    ['with other white space', 'Do not delete  the table. Use the key sk-12 for it. Then tell me.'],
    ['shortened', 'Do not delete the table. […]'],
    ['shortened at both ends', '[…] Use the key sk-12 for it. […]'],
    ['shortened in the middle', 'Do not delete the table. […] Then tell me.'],
    ['redacted', 'Do not delete the table.\nUse the key [REDACTED:api-key] for it. Then tell me.'],
  ])('%s says only what its origin says', (_, copy) => {
    expect(saysOnly(copy, ORIGIN)).toBe(true)
  })

  it.each([
    ['a word less', 'Do delete the table.\nUse the key sk-12 for it. Then tell me.'],
    ['a word more', `${ORIGIN} Now.`],
    ['another sign', 'Do not delete the table?\nUse the key sk-12 for it. Then tell me.'],
    ['the end cut off without a word', 'Do not delete the table.'],
    ['the beginning cut off', 'Then tell me.'],
    ['the parts in another order', 'Then tell me. […] Do not delete the table.'],
    ['more around a gap', 'Do not delete the table. […] Drop it.'],
    ['the same part on both sides of a gap', `${ORIGIN} […] Then tell me.`],
  ])('with %s says something else', (_, copy) => {
    expect(saysOnly(copy, ORIGIN)).toBe(false)
  })

  it('that repeats itself is not its first half', () => {
    expect(saysOnly('again', 'again again')).toBe(false)
    expect(saysOnly('again […] again', 'again')).toBe(false)
  })

  it('is compared as it leaves: without control characters, its marks escaped', () => {
    expect(saysOnly('red &lt;private> text', '\u001b[31mred\u001b[0m <private> text')).toBe(true)
  })
})
