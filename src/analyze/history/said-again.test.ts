import { expect, it } from 'vitest'
import { repetitionWords, ruleKey, saidAgain } from './said-again.ts'

const said = (text: string, day: number) => ({ text, at: Date.UTC(2026, 0, day) })

it.each([
  ['please always run the linter first!!', 'always run the linter first'],
  ['I told you: never commit to main', 'never commit to main'],
  ['Remember, always run the linter first, thanks', 'always run the linter first'],
  ["don't ever push to main", 'dont ever push to main'],
])('%s', (text, key) => expect(ruleKey(text)).toBe(key))

it('the newest stands for all, with how often and since when; other rules stay apart', () => {
  const rules = saidAgain([said('please never commit to main', 9), said('always lint first', 7), said('Never commit to main.', 3)])
  expect(rules.map((one) => one.text + repetitionWords(one))).toEqual([
    'please never commit to main (said 2 times since 2026-01-03)',
    'always lint first',
  ])
})
