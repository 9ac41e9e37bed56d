import { expect, it } from 'vitest'
import { tokenWeight } from './token-weights.ts'

const common = { piece: 'commit', pieces: 1, frequency: 900, size: 1000 }

it('a rare word weighs more than a common one', () => {
  expect(tokenWeight({ ...common, frequency: 3 })).toBeGreaterThan(10 * tokenWeight(common))
})

it('a word weighs the same in one piece and in three', () => {
  expect(3 * tokenWeight({ ...common, pieces: 3 })).toBeCloseTo(tokenWeight(common))
})

it('a mark weighs nothing, a word of any script and a number do', () => {
  expect(tokenWeight({ ...common, piece: '?' })).toBe(0)
  for (const piece of ['##ée', '日', '7']) expect(tokenWeight({ ...common, piece })).toBeGreaterThan(0)
})

it('a count that is older than the size of the index is no reason for less than nothing', () => {
  expect(tokenWeight({ ...common, frequency: 2000 })).toBeGreaterThan(0)
})
