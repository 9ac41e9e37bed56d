import { expect, it } from 'vitest'
import { isDead, processMark } from './lease.ts'

it('of a process of another host nothing is certain, whatever its number', () => {
  const ended = { ...processMark(), pid: 4_194_303 }
  expect(isDead(ended)).toBe(true)
  expect(isDead({ ...ended, host: 'elsewhere' })).toBe(false)
})
