import { describe, expect, it } from 'vitest'
import { takesBack } from './takes-back.ts'

describe('takes back what was picked', () => {
  it.each([
    ['no wait, the other one', '2'],
    ['undo that', 'yes'],
    ['actually use 1', '2'],
    ['Actually, let’s go with option 3 instead', '2'],
    ['wait, 1', '2'],
    ['hmm no, I meant the first one', '2'],
    ['sorry, the other option please', 'b'],
    ['Revert that please, it breaks the build', 'yes'],
    ['please roll it back.', 'go ahead'],
    ['I changed my mind, keep the table', 'yes'],
    ["wait, don't do that", 'do it'],
    ['use the second one instead', '1'],
  ])('%s after %s', (text, picked) => {
    expect(takesBack(text, picked)).toBe(true)
  })
})

describe('says nothing in doubt', () => {
  it.each([
    ['actually use 2', '2'],
    ['no wait, I meant the second one', '2'],
    ['wait for the build, then push', '2'],
    ['no problem, go on', 'yes'],
    ['undo that? what would it take', 'yes'],
    ['can you undo that?', 'yes'],
    ['undo the rename of the lint rule in the other file', 'yes'],
    ['revert that test file to main', 'yes'],
    ['never mind the warning, commit', 'yes'],
    ['actually, does it run on Windows?', '2'],
    ['the other one has the same bug, fix it there too', '2'],
    ['now use 3 retries', '1'],
    ['actually use 3 retries', '1'],
    ['no, 2 tests still fail', '1'],
    ['actually a test is missing', '2'],
    ['great, now commit it', '2'],
    ['', '2'],
    [`undo that. ${'It is too slow for what we need. '.repeat(10)}`, '2'],
  ])('%s after %s', (text, picked) => {
    expect(takesBack(text, picked)).toBe(false)
  })
})
