import { expect, it } from 'vitest'
import { foldedName, foldedPersonName } from './folded-name.ts'

it('names are compared without case, marks, titles and order', () => {
  expect(foldedName('AT&T')).toBe('at t')
  expect(foldedPersonName('Dr. Müller, Anna (Sales)')).toBe('anna muller')
})

it.each(['(', '[', '"', 'é', 'a,', ' '])('a name of %j a million times is short and is folded at once', (piece) => {
  const start = process.cpuUsage()
  expect(foldedPersonName(`Eve ${piece.repeat(1_000_000)}`).length).toBeLessThan(1_100)
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(1_000)
})
