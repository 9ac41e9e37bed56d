import { expect, it } from 'vitest'
import { fitted } from './excerpt.ts'
import { width } from './layout.ts'

const filler = (words: number) => Array.from({ length: words }, (_, i) => `word${i}`).join(' ')
const room = { width: 60, lines: 2 }

it('a short text stays whole', () => {
  expect(fitted('all of it', ['it'], room)).toEqual(['all of it'])
  expect(fitted('', ['it'], room)).toEqual([''])
})

it('a long text is cut around what matched, at spaces', () => {
  const [first, second, ...more] = fitted(`${filler(200)} the lease expired at night ${filler(200)}`, ['lease', 'expired'], room)
  expect(more).toEqual([])
  expect(`${first} ${second}`).toContain('the lease expired at night')
  expect(first).toMatch(/^… word/)
  expect(second).toMatch(/word\d+ …$/)
})

it('it begins with a sentence where one holds as much', () => {
  const text = `${filler(60)} ends. The lease of the worker expired at night, and nobody noticed. ${filler(60)}`
  expect(fitted(text, ['lease', 'expired'], room)[0]).toMatch(/^The lease of the worker expired/)
})

it('of several places the one with the most different terms is shown', () => {
  const text = `lease lease lease ${filler(100)} lease and heartbeat ${filler(100)}`
  expect(fitted(text, ['lease', 'heartbeat'], room).join(' ')).toContain('lease and heartbeat')
})

it('no line is wider than the room, and the last one leaves free what it should', () => {
  const texts = [
    filler(100),
    '日本語'.repeat(80),
    'x'.repeat(500),
    `see https://example.com/${'path/'.repeat(60)} there`,
    '👩‍👩‍👧 '.repeat(90),
  ]
  for (const text of texts) {
    const lines = fitted(text, [], { width: 40, lines: 2, free: 15 })
    expect(lines).toHaveLength(2)
    expect(width(lines[0] ?? '')).toBeLessThanOrEqual(40)
    expect(width(lines[1] ?? '')).toBeLessThanOrEqual(25)
    expect(lines[1]).toMatch(/…$/)
  }
})

it('terms that hold regular expression syntax are only text', () => {
  expect(fitted(`${filler(100)} a.*b(c ${filler(100)}`, ['a.*b(c', '[', '('], room).join(' ')).toContain('a.*b(c')
})

it('a text that is cut where something is left out has one sign of it', () => {
  const text = 'The store flushes and sends the data. … I have added timing to the exit of it all'
  for (let width = 30; width < 60; width++) expect(fitted(text, ['data'], { width, lines: 1, free: 3 })[0]).not.toMatch(/…\s*…/)
})
