import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/helpers/processor-time.ts'
import { answerTo } from './answers.ts'
import { statementsOf } from './by-rules.ts'

const OPTIONS = `There are three ways:

1. **Keep the lock** in the writer
2. Move the lock into the store
3. Drop the lock altogether

Which approach do you prefer?`
const LETTERED = 'Option A: write a journal\nOption B: write twice\n\nWhich one should I take?'
const ASKED = 'The reader opens the file twice. Want me to move the check into the opener?'

describe('an option is what it says in the message that lists it', () => {
  it.each([
    ['2', OPTIONS, 'Move the lock into the store'],
    ['yes, do option 3', OPTIONS, 'Drop the lock altogether'],
    ['I think 1 is the right approach. It is small.', OPTIONS, 'Keep the lock in the writer'],
    ['the second one', OPTIONS, 'Move the lock into the store'],
    ['the latter please', LETTERED, 'write twice'],
    ["let's go with B", LETTERED, 'write twice'],
    ['a) sounds right', LETTERED, 'write a journal'],
    ['1. - this should show the files involved yeah?', OPTIONS, 'Keep the lock in the writer'],
    ['sorry, I missed this. 1 is correct', OPTIONS, 'Keep the lock in the writer'],
    ['3, but I assume 2 is part of it?', 'What is it for?\n1. Finding\n2. Preventing\n3. Advising', 'Advising'],
    ['I think b), it is smaller', 'Do you want the summary to be based on:\n- a) all of it\n- b) the prompts', 'the prompts'],
  ])('%s', (text, before, about) => expect(answerTo(before, text)).toMatchObject({ rule: 'option', about }))
})

describe('several options are what each of them says', () => {
  it.each([
    ["let's go with #1 and #3", 'Keep the lock in the writer; Drop the lock altogether'],
    ['2, 3 please', 'Move the lock into the store; Drop the lock altogether'],
    ['1, 2 and 3', 'Keep the lock in the writer; Move the lock into the store; Drop the lock altogether'],
  ])('%s', (text, about) => expect(answerTo(OPTIONS, text)).toMatchObject({ rule: 'option', about }))
  it('both', () => expect(answerTo(LETTERED, 'both please')).toMatchObject({ rule: 'option', about: 'write a journal; write twice' }))
  it('one that is not there', () => expect(answerTo(OPTIONS, '1 and 9')).toBeUndefined())
})

it('an option that is repeated word for word is talked about, not chosen', () =>
  expect(answerTo(OPTIONS, '3. Drop the lock altogether\n\nThat is unsafe, right?')).toBeUndefined())

it('a list that ends with an ordinary question asks for no leave', () =>
  expect(answerTo('What is it for?\n1. Finding\n2. Adding', 'yes')).toBeUndefined())

it('a no that says how it should be is about the question', () =>
  expect(answerTo('Should the copy contain:\n1. the files\n2. the tree', 'no, it should be the tree and what is new')).toMatchObject({
    rule: 'refused',
  }))

it.each([
  ['what is found wrong', "no, that's ugly.\n\nlamps -> pier\nropes -> boat house"],
  ['another way', 'no, we want to keep it in the writer'],
  ['enough as it is', "no, then it's good"],
])('a no says %s', (_, text) => expect(answerTo(ASKED, text)).toMatchObject({ rule: 'refused' }))

it('told to leave it, where one of two ways was asked for before the last question', () => {
  const before = 'The old lock stays in the writer, or should it move too? I would leave it.\n\nShould I proceed with the rest?'
  expect(answerTo(before, 'can leave it')).toMatchObject({
    rule: 'told which',
    about: 'The old lock stays in the writer, or should it move too?',
  })
})

describe('a yes or no is about the question', () => {
  it('a yes to something that is built', () => {
    expect(answerTo(ASKED, 'yes please')).toMatchObject({
      rule: 'agreed',
      about: 'Want me to move the check into the opener?',
      start: 0,
      end: 10,
    })
  })
  it('a no', () => expect(answerTo(ASKED, "no, don't move it")).toMatchObject({ rule: 'refused' }))
  it.each([
    [
      'before it',
      'Replace the poller with a watcher in both readers:\n\n```ts\nwatch(path)\n```\n\nWould you like me to implement this fix?',
      'yes',
    ],
    [
      'after it',
      '**Would you like me to implement this refactoring?** It would:\n- Replace the poller with a watcher in both readers',
      'yes, please do',
    ],
    [
      'before a code block that ends nearby',
      `${'```\n'}${'x\n'.repeat(440)}${'```'}\nReplace the poller with a watcher in both readers.\n\nWant me to do it?`,
      'Yeah let’s do this',
    ],
  ])('a yes to building what was put forward %s', (_, before, yes) => {
    const answer = answerTo(before, yes)
    expect(answer).toMatchObject({ rule: 'agreed' })
    expect(answer?.about).toContain('Replace the poller with a watcher')
  })
  it('a yes please agrees, whatever is asked after it; a flag is no step of the work', () => {
    const before = 'Want me to make `--search-all` fall back to the whole walk?'
    expect(answerTo(before, 'yes please. is there no test for this?')).toMatchObject({ rule: 'agreed', start: 0, end: 11 })
    expect(answerTo(before, 'yes, but is there no test for this?')).toBeUndefined()
  })
  it('a yes to a fix that nobody described settles nothing', () => {
    expect(answerTo('The test fails on a slow disk. Would you like me to implement the fix?', 'yes')).toBeUndefined()
    expect(answerTo('Add a test for the reader.\n\nWant me to do it?', 'yes')).toBeUndefined()
  })
  it('a proposal that asks for thoughts', () =>
    expect(answerTo("I'd go with `fileExtension()` — thoughts?", "yes, let's do that")).toMatchObject({ rule: 'agreed' }))
  it('a question that points takes what it points at along', () => {
    const before = 'The store could keep the names in one table.\n\nWant me to make that change?'
    expect(answerTo(before, 'yes')?.about).toContain('keep the names in one table')
  })
  it('told what to do where it was asked which', () => {
    expect(answerTo(OPTIONS, 'remove it completely, no need to deprecate it')).toMatchObject({ rule: 'told which' })
  })
})

describe('settles nothing', () => {
  it.each([
    ['a step of the work', 'All tests pass. Want me to commit and push?', 'yes'],
    ['tests to be written', 'The opener is done. Want me to add tests for it?', 'yes'],
    ['a fix', 'The test fails. Want me to fix this?', 'yes please'],
    ['a question back', OPTIONS, 'what is the difference between 1 and 2?'],
    ['yes to one of two', 'Should I move the check into the opener, or leave it?', 'yes'],
    ['a number that is none of the options', OPTIONS, '7'],
    ['a number of things', OPTIONS, '2 tests fail now'],
    ['a question about one of them', OPTIONS, '2) is that not slower?'],
    ['a question about one of them, behind a dash', OPTIONS, "1 - doesn't that lock everybody out?"],
    ['nothing was asked', 'Done: the check is in the opener.', 'yes, great'],
    ['a no to one step here and now', 'The lock is stale. Want me to also set `lock.auto` on your repo now?', "no don't set it, let's see"],
    ['a no to a commit', 'The check is in the opener. Want me to commit this?', "no, don't"],
    ['an option that goes on', 'How do we go on?\n1. Continue with the next batch\n2. Something else\n\nWhich one?', '1'],
    ['what is to be done with a text', 'Build one yourself? Or buy it from somebody?\n\nShould I go on?', 'make this sound more human'],
    ['a request for another one', OPTIONS, 'add another option for boats'],
    ['another topic', ASKED, 'can you show me the opener'],
    ['a long text', ASKED, `yes ${'and more '.repeat(100)}`],
  ])('%s', (_, before, text) => expect(answerTo(before, text)).toBeUndefined())
})

it('becomes a decision with the message that it answers; by itself it is none', () => {
  const said = { message: 'm', text: 'the second one', by: 'person', to: 'agent' } as const
  expect(statementsOf(said)).toEqual([])
  expect(statementsOf({ ...said, answers: { message: 'a', text: OPTIONS } })).toEqual([
    expect.objectContaining({
      type: 'decision',
      start: 0,
      end: 14,
      about: 'Move the lock into the store',
      answered: 'a',
      rule: 'rules:option',
    }),
  ])
})

it('no text makes it slow or break', () => {
  const spent = processorTime()
  for (const text of ['1. '.repeat(20_000), `${'a? '.repeat(20_000)}`, '**'.repeat(50_000), 'option '.repeat(20_000)]) {
    expect(() => answerTo(text, 'yes do option 1')).not.toThrow()
    expect(() => answerTo(OPTIONS, text)).not.toThrow()
  }
  expect(spent()).toBeLessThan(5_000)
})

describe('picks as people type them', () => {
  it.each([
    [
      'We can (a) use a TTL of five minutes, or (b) invalidate on write. Which do you prefer?',
      'yes, the first',
      'use a TTL of five minutes',
    ],
    ['Options: 1) Redis 2) SQLite. Which one?', '2', 'SQLite'],
  ])('%s', (before, text, about) => expect(answerTo(before, text)).toMatchObject({ about }))

  it.each([['I ran f(a) and g(b) and it failed (exit 1). Shall I fix it?', 'the first']])('%s: nothing', (before, text) =>
    expect(answerTo(before, text)).toBeUndefined(),
  )
})
