import { expect, it } from 'vitest'
import { isLasting } from './lasting.ts'

it.each([
  ["Let's use SQLite for the cache.", 'rules:lets', undefined],
  ['yes', 'rules:agreed', 'Want me to move the lock into the store?'],
  ['Light the lantern at dusk by a timer', 'rules:plan approved', 'Fix what the tests say.'],
])('shapes what is built: %s', (text, rule, about) => expect(isLasting({ text, rule, about, confidence: 0.85 })).toBe(true))

it.each([
  ["Then let's add some log output.", 'rules:lets change', undefined],
  ['1', 'rules:option', 'Dispatch a subagent for each task'],
  ['yes', 'rules:agreed', 'Want me to add the missing test?'],
  ['Fix: the lantern never lights', 'rules:plan approved', ''],
  ['ENT-12: Fix the lantern', 'rules:plan approved', ''],
  ['Add unit tests for the lantern', 'rules:plan approved', ''],
  ["we'll look at it later.", 'rules:put off', undefined],
])('is a step of the work: %s', (text, rule, about) => expect(isLasting({ text, rule, about, confidence: 0.85 })).toBe(false))

it('what is not surely a decision does not stand for weeks', () => {
  expect(isLasting({ text: 'We should rather store it once.', rule: 'rules:we should', confidence: 0.7 })).toBe(false)
})
