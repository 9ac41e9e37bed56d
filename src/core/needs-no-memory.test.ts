import { describe, expect, it } from 'vitest'
import { needsNoMemory } from './needs-no-memory.ts'

describe('the gate stops what surely needs no memory', () => {
  it.each([
    '',
    '  \n ',
    'yes',
    'Yes!',
    'ok',
    'OK.',
    'continue',
    'go ahead',
    'thanks',
    'Thank you very much!',
    'yes please, continue',
    'looks good, thanks',
    'lgtm',
    '👍',
    '...',
    '1',
    '2.',
    'b)',
    'option 2',
    '/clear',
    '/compact now',
    '/model opus',
    '<command-name>/clear</command-name>',
    '<local-command-stdout>Set model</local-command-stdout>',
    '<bash-stdout>total 4</bash-stdout><bash-stderr></bash-stderr>',
    '<task-notification>\n<task-id>b1</task-id>',
    '[Request interrupted by user for tool use]',
    'danke',
  ])('%j', (prompt) => {
    expect(needsNoMemory(prompt)).toBeTypeOf('string')
  })
})

describe('the gate lets through what may need some', () => {
  it.each([
    'why did we choose sqlite',
    'fix the login',
    'again?',
    'no, the other one',
    'yes, but use the retry we had in payments',
    'continue with the webhook work',
    '/review the migration that we wrote last week for tenants',
    '/home/max/app/src/login.ts crashes',
    'go back to the old parser',
    'what about Anna?',
    'error: EADDRINUSE 0.0.0.0:3000',
    '{"tool":"x"}',
    '忘れた？',
    'да',
    `ok ${'x'.repeat(300)}`,
    '<div>not of the harness</div>',
    'ok ok ok ok ok ok ok',
  ])('%j', (prompt) => {
    expect(needsNoMemory(prompt)).toBeUndefined()
  })

  it('a prompt of a megabyte, without taking long: nothing in it is looked at twice', () => {
    expect(needsNoMemory(`/${'a '.repeat(500_000)}`)).toBeUndefined()
    expect(needsNoMemory(`${'-'.repeat(1_000_000)}`)).toBeUndefined()
  })
})
