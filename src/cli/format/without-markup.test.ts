import { expect, it } from 'vitest'
import { withoutMarkup } from './without-markup.ts'

it('headings, bullets and emphasis lose their signs; items stay apart', () => {
  const text =
    '## One open concern\n\nAfter a **commit** the branch moves:\n- to the base\n- [x] to [the docs](https://example.com/a(b))\n> said so'
  expect(withoutMarkup(text, [])).toBe('One open concern · After a commit the branch moves: to the base · to the docs · said so')
})

it('lines that a person broke are one sentence', () => {
  expect(withoutMarkup('the lease\nexpired at\n  night', [])).toBe('the lease expired at night')
})

it('of code only what matched stays', () => {
  const text = 'Assistant: ```go\nfunc a() {}\nreturn ErrLease\n}\n```\nThat is why.'
  expect(withoutMarkup(text, ['ErrLease'])).toBe('Assistant: … return ErrLease … That is why.')
  expect(withoutMarkup(text, [])).toBe('Assistant: … That is why.')
})

it('a part of a text may begin inside of code', () => {
  expect(withoutMarkup('x := 1\n```\nThen the `lease` is over.', ['lease'])).toBe('… Then the `lease` is over.')
})

it('of a table only the rows that matched stay', () => {
  const table = '| name | time |\n|---|---:|\n| lease | 30 s |\n| job | 5 s |'
  expect(withoutMarkup(`Times:\n\n${table}`, ['lease'])).toBe('Times: … lease · 30 s …')
})

it('a text of nothing but code is shown all the same', () => {
  expect(withoutMarkup('```\nmake all\n```', ['lease'])).toBe('make all')
})

it('names with underscores and stars that multiply are no emphasis', () => {
  expect(withoutMarkup('__init__ is 2 ** 3 and a ** b', [])).toBe('__init__ is 2 ** 3 and a ** b')
})

it('what another speaker says is kept apart', () => {
  const text = 'Sarah Chen: Tom is on a train until half past\nJason Wu: Agreed, we launch at ten.\nSarah Chen: Good.'
  expect(withoutMarkup(text, [], ['Sarah Chen: ', 'Jason Wu: '])).toBe(
    'Sarah Chen: Tom is on a train until half past · Jason Wu: Agreed, we launch at ten. Sarah Chen: Good.',
  )
})
