import { expect, it } from 'vitest'
import { typingErrors } from './edit-distance.ts'

it.each([
  ['kubernetes', 'kubernetes', 0],
  ['kuberentes', 'kubernetes', 1],
  ['kubernets', 'kubernetes', 1],
  ['kubernettes', 'kubernetes', 1],
  ['cubernetes', 'kubernetes', 1],
  ['cuberentes', 'kubernetes', 2],
  ['', 'abc', 3],
  ['ca', 'abc', 3],
])('%s and %s: %i', (a, b, errors) => {
  expect(typingErrors(a, b)).toBe(errors)
  expect(typingErrors(b, a)).toBe(errors)
})

it('more than the most is only more', () => {
  expect(typingErrors('abcdef', 'uvwxyz', 2)).toBe(3)
  expect(typingErrors('a', 'abcdef', 2)).toBe(3)
})
