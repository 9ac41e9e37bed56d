import { describe, expect, it } from 'vitest'
import { goesOn } from './goes-on.ts'
import { earlierNamed, stateQuestion } from './state-question.ts'

describe('a question for where the work stands', () => {
  it.each([
    ['where did we leave off last time?', { kind: 'past' }],
    ['what did we do yesterday', { kind: 'past', time: 'yesterday' }],
    ['what did we work on last week?', { kind: 'past', time: 'last week' }],
    ['Good morning! Where did we stop on Friday?', { kind: 'past', time: 'friday' }],
    ['where were we', { kind: 'open' }],
    ['what is left?', { kind: 'open' }],
    ["ok so what's next", { kind: 'open' }],
    ['continue where we left off', { kind: 'open' }],
    ['Please continue.', { kind: 'go-on' }],
    ["let's keep going", { kind: 'go-on' }],
  ])('%s', (text, asked) => expect(stateQuestion(text)).toEqual(asked))

  it.each([
    'continue the loop until i > 3',
    'what is left of the colon',
    'where were we supposed to put the config?',
    'where were we storing the session?',
    'what is next to the list?',
    'what did we decide about the names yesterday?',
    'where did we leave off with the timetable of ferry?',
    'fix the tests. what is next?',
    'the download should resume where it stopped',
    `where were we ${'and '.repeat(30)}`,
  ])('is not: %s', (text) => expect(stateQuestion(text)).toBeUndefined())

  it('a text of a megabyte is none, without being read', () => expect(stateQuestion('what is left '.repeat(80_000))).toBeUndefined())

  it('names an earlier time wherever it stands', () => {
    expect(earlierNamed('how did it go last time?')).toEqual({ kind: 'past' })
    expect(earlierNamed('and yesterday, what about that')).toEqual({ kind: 'past', time: 'yesterday' })
    expect(earlierNamed('what was that?')).toBeUndefined()
  })

  it('goes on: no more than that', () => {
    for (const text of ['continue', 'ok, continue please', 'go on', 'Weiter']) expect(goesOn(text), text).toBe(true)
    for (const text of ['continue the loop', 'next.js', 'go ahead', 'yes']) expect(goesOn(text), text).toBe(false)
  })
})
