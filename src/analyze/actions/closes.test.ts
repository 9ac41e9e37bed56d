import { describe, expect, it } from 'vitest'
import { closes } from './closes.ts'

describe('an action is closed by what says so in so many words', () => {
  it.each([
    ["I'll send the report by Friday", 'said', "I've sent the report."],
    ["I'll send the report by Friday", 'said', 'Sent the report to Sarah.'],
    ['Please sign the contract by 12 March.', 'said', 'The contract is signed.'],
    ["Don't forget to call the landlord.", 'said', 'I just called the landlord.'],
    ['TODO: rename the tide table', 'made', 'Rename the tide table to harbour_tides'],
    ['we need to move the lantern settings into the store later', 'made', 'feat: move the lantern settings into the store'],
    ['Remind me to tidy the lantern schedule', 'said', 'The lantern schedule is done.'],
  ] as const)('%s | %s: %s', (action, kind, text) => expect(closes(action, { kind, text })).toBe(true))
})

describe('what is unsure stays open', () => {
  it.each([
    ['another thing', "I'll send the report by Friday", 'said', "I've sent the invoice."],
    ['a promise again', "I'll send the report by Friday", 'said', "I'll send the report tomorrow."],
    ['a question', "I'll send the report by Friday", 'said', 'Have you sent the report?'],
    ['not yet', "I'll send the report by Friday", 'said', "I haven't sent the report."],
    ['a condition', "I'll send the report by Friday", 'said', 'Once I have sent the report, we can talk.'],
    ['another verb', "I'll send the report by Friday", 'said', 'I read the report.'],
    ['a courtesy', "I'll send the report by Friday", 'said', 'Done!'],
    ['one word in a commit', 'TODO: rename the table', 'made', 'Drop the table'],
    ['a part of it', 'we need to move the lantern settings into the store later', 'made', 'Fix the lantern settings'],
    ['an action that names nothing', "I'll do it later", 'made', 'Fix the lantern settings'],
  ] as const)('%s', (_, action, kind, text) => expect(closes(action, { kind, text })).toBe(false))
})

it('no text makes it slow or break', () => {
  for (const text of ['the '.repeat(50_000), `send ${'a'.repeat(100_000)}`, '\ud83d'.repeat(1000), ''])
    expect(() => closes(text, { kind: 'said', text })).not.toThrow()
})
