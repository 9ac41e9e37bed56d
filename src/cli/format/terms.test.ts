import { expect, it } from 'vitest'
import { style } from './style.ts'
import { highlight } from './terms.ts'

it('matching words are marked whole, others are left alone', () => {
  const { bold } = style(true)
  expect(highlight('leases release', ['lease'], bold)).toBe('\u001b[1mleases\u001b[22m release')
  expect(highlight('nothing', [], bold)).toBe('nothing')
})
