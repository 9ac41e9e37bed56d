import { expect, it } from 'vitest'
import { style } from './style.ts'
import { highlight, termsIn } from './terms.ts'

it('matching words are marked whole, others are left alone', () => {
  const { bold } = style(true)
  expect(highlight('leases release', ['lease'], bold)).toBe('\u001b[1mleases\u001b[22m release')
  expect(highlight('nothing', [], bold)).toBe('nothing')
})

it('words of any script are found from their beginning on, in any case, and none that only ends like a term', () => {
  const words = (text: string, ...terms: string[]) => termsIn(text, terms).map(({ at, word }) => `${at} ${word}`)
  expect(words('Release leases, LEASE_2 (lease)', 'lease')).toEqual(['8 leases', '16 LEASE', '25 lease'])
  expect(words('überlease Übermut über', 'Über', 'lease')).toEqual(['0 überlease', '10 Übermut', '18 über'])
  expect(words('𝒜lease lease', 'lease')).toEqual(['8 lease'])
  expect(words('aaa.ts b/aaa.ts', 'aaa.ts', 'aa')).toEqual(['0 aaa.ts', '9 aaa.ts'])
  expect(words('anything', ' ', 'a', '')).toEqual([])
})
