import { expect, it } from 'vitest'
import { excerpt, highlight } from './excerpt.ts'
import { style } from './style.ts'

const filler = (words: number) => Array.from({ length: words }, (_, i) => `word${i}`).join(' ')

it('a short text stays whole', () => {
  expect(excerpt('all of it', ['it'], 100)).toBe('all of it')
})

it('a long text is cut around what matched, at spaces', () => {
  const text = `${filler(200)} the lease expired at night ${filler(200)}`
  const cut = excerpt(text, ['lease', 'expired'], 120)
  expect(cut).toContain('the lease expired at night')
  expect(cut.length).toBeLessThanOrEqual(130)
  expect(cut).toMatch(/^… \S/)
  expect(cut).toMatch(/\S …$/)
})

it('of several places the one with the most different terms is shown', () => {
  const text = `lease lease lease ${filler(100)} lease and heartbeat ${filler(100)}`
  expect(excerpt(text, ['lease', 'heartbeat'], 100)).toContain('lease and heartbeat')
})

it('terms that hold regular expression syntax are only text', () => {
  expect(excerpt(`${filler(100)} a.*b(c ${filler(100)}`, ['a.*b(c', '[', '('], 60)).toContain('a.*b(c')
})

it('matching words are marked whole, others are left alone', () => {
  const { bold } = style(true)
  expect(highlight('leases release', ['lease'], bold)).toBe('\u001b[1mleases\u001b[22m release')
})
