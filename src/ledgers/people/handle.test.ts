import { expect, test } from 'vitest'
import { countryOf, normalHandle } from './handle.ts'

test.each([
  [' Sarah@Example.COM ', 'sarah@example.com'],
  ['mailto:sarah@example.com', 'sarah@example.com'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['tel:+49 30 901820', '+4930901820'],
  ['+49 (0)30 901820', '+4930901820'],
  ['0049 30 901820', '+4930901820'],
  ['+1 (415) 555-2671 x12', '+14155552671'],
  ['+1 415-555-2671 ext. 3', '+14155552671'],
  ['+14155552671,,123#', '+14155552671'],
  ['\u202a+1 (415) 555\u20112671\u202c', '+14155552671'],
  ['＋１４１５５５５２６７１', '+14155552671'],
  ['72727', '72727'],
  ['72727 x1', '72727 x1'],
  ['4155552671', '4155552671'],
  ['MyBank', 'mybank'],
  ['urn:biz:1234-ab', 'urn:biz:1234-ab'],
])('%s is %s', (raw, handle) => expect(normalHandle(raw)).toBe(handle))

test('a number without its country is completed where the country is known, and kept as digits where it is not', () => {
  expect(normalHandle('(415) 555-2671', 'US')).toBe('+14155552671')
  expect(normalHandle('(415) 555-2671')).toBe('4155552671')
})

test('the country is that of the first number that has one', () => {
  expect(countryOf(['5552671', '+49 30 901820', '+1 415 555 2671'])).toBe('DE')
  expect(countryOf([])).toBeUndefined()
})
