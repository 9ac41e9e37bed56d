import { expect, it } from 'vitest'
import { asSpelled } from './as-spelled.ts'

it.each([
  ['whats moms birthday', "what's mom's birthday"],
  ['Whos tylers boss?', "Who's tyler's boss?"],
  ['what is Tylers fav colour', "what is Tyler's fav colour"],
  ['wheres sarahs new job', "where's sarah's new job"],
])('%s', (typed, spelled) => expect(asSpelled(typed)).toBe(spelled))

it.each([
  'what was his job',
  'does his email work',
  'rename whats_new.ts',
  'open whats/new',
  "what's new",
  'run the tests',
  'this address is wrong',
])('stays: %s', (text) => expect(asSpelled(text)).toBe(text))
