import { expect, it } from 'vitest'
import { answered, asked, call, outcomeFrom } from '../../../test/helpers/outcome.ts'
import { aimOf, isOfTheWork, tellingReport } from './telling-lines.ts'

const edit = (path: string, turn: string) => ({ ...call('Edit', { file_path: `/home/ada/app/${path}` }), turn })

it('a session is about the request that was carried out, not about the question it began with', () => {
  const outcome = outcomeFrom([
    asked('do you have access to the ticket system?', { turn: 't1' }),
    answered('Yes, I can list tickets.', { turn: 't1' }),
    asked('make the dimmer remember its last brightness', { turn: 't2' }),
    edit('src/dimmer-brightness.ts', 't2'),
    answered('Added a stored brightness to the dimmer in src/dimmer-brightness.ts.', { turn: 't2' }),
  ])
  expect(aimOf(outcome)?.text).toContain('dimmer remember')
})

it('a request that names nothing of what changed gives way to one that does', () => {
  const outcome = outcomeFrom([
    asked('review the lantern scheduler for lost wake-ups', { turn: 't1' }),
    answered('The lantern scheduler loses a wake-up when two timers end at once.', { turn: 't1' }),
    asked('follow through with your recommendations', { turn: 't2' }),
    edit('src/lantern-scheduler.ts', 't2'),
    answered('Fixed the lost wake-up in the lantern scheduler.', { turn: 't2' }),
  ])
  expect(aimOf(outcome)?.text).toContain('lantern scheduler')
})

it('of the reports the one that tells what was done, not that work was done', () => {
  const outcome = outcomeFrom([
    asked('make the dimmer remember its last brightness', { turn: 't1' }),
    edit('src/dimmer-brightness.ts', 't1'),
    answered('Currently the dimmer only shows zero at start.', { turn: 't1' }),
    asked('and now store it in the settings file', { turn: 't2' }),
    edit('src/dimmer-brightness.ts', 't2'),
    answered('Changed the dimmer to store its brightness in the settings file.', { turn: 't2' }),
    asked('is that all of it, what about the tests?', { turn: 't3' }),
    answered('The changes to the dimmer are ready to be committed whenever you like.', { turn: 't3' }),
  ])
  expect(tellingReport(outcome, aimOf(outcome))?.text).toBe('Changed the dimmer to store its brightness in the settings file.')
})

it.each([
  'Both files have been updated successfully.',
  'The reviewer has approved the changes.',
  'All checks pass: fmt, lint and tests.',
  'You may want to install the new version.',
  'Try running the importer again, it should work now.',
])('%s says only that work was done', (text) => expect(isOfTheWork(text)).toBe(true))

it.each(['Added a retry to the importer.', 'The importer no longer drops rows.'])('%s says more', (text) =>
  expect(isOfTheWork(text)).toBe(false),
)
