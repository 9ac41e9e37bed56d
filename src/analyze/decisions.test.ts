import { describe, expect, it } from 'vitest'
import { decisionFlags } from './decisions.ts'
import { statementsOf } from './statements/by-rules.ts'

const DECISIONS = [
  'We decided to post three times a day.',
  'We have finally decided on Postgres.',
  "OK, let's use the second design then.",
  'Decision: weekly newsletter, no daily mail.',
  '**Decision:** ship it behind a flag',
  'The team agreed to drop the old API.',
  'We will use SQLite instead of LevelDB.',
  "We'll stick with the current schedule.",
  'It was decided that the office closes at five.',
  'We settled on blue for the logo.',
  "I'll go with the cheaper plan.",
  'After a long discussion, we opted for the monthly plan.',
  'We chose Melbourne over Sydney.',
  'The plan is to migrate the data first and switch the readers afterwards.',
  'Our final decision is to keep both names.',
  'So we ruled out the graph database.',
  'I’ve decided against the new phone.',
]

const NO_DECISIONS = [
  // These refer to the previous message, which is not in the text.
  "Let's go with option B.",
  'Yes, go with the first one.',
  // Conclusions of an analysis and verdicts of a review.
  'Conclusion: the cache is not worth it.',
  'Verdict: APPROVE ✓',
  'Should we decide now?',
  'I am still undecided about the logo.',
  "We haven't decided yet.",
  'We have not agreed on anything.',
  'If we decided to move, we would need a van.',
  'Have you decided on a name?',
  'It is hard to decide between the two.',
  'You need to make a decision soon.',
  'The decision is still open.',
  'No decision was made.',
  "Let's see what the logs say.",
  "Let's look at the code first.",
  'What did we decide last week?',
  'Once we have agreed to the terms, I can start.',
  'Would you go with the blue one?',
  'They could have chosen better words.',
  'Let me know whether we agreed on that.',
  'I will use grep to find the file.',
  'The function returns the selected rows.',
  'How have you settled on that?',
  'The tree has a decision node for each feature.',
  'I never agreed to that.',
  'I love that you chose pottery for your art.',
  'Agreed, Caroline.',
  "Let's keep motivating each other.",
]

const ACTIONS = [
  'TODO: write the tests.',
  'Action item: Jason sends the contract.',
  "I'll send the draft by Friday.",
  'We need to renew the domain by March 3.',
  'Remind me to call the bank.',
  "Don't forget to water the plants.",
  'The report is due on Monday.',
  'Please review the pull request by tomorrow.',
  "I'll call the landlord tomorrow.",
  'We will follow up with the client.',
  'Deadline: 2026-03-01',
  'You must submit the form by the end of the month.',
  'Follow up with Anna about the invoice.',
  'Please remember to rotate the keys.',
  'Sarah will finish the slides by Thursday.',
  'To-do: book the flights',
  "I'm going to email the accountant next week.",
  'Set a reminder for the dentist.',
]

const NO_ACTIONS = [
  'There are no action items.',
  'Is the report due on Monday?',
  'If it rains, I will send the tickets by Friday.',
  'Any todo left?',
  'The todo app has three screens.',
  'Nothing is due on Monday, as nothing to do remains.',
  'What are the next steps?',
  'She lives by the river.',
  'The list is sorted by date.',
  '- [x] update the changelog',
  'Do you remember the bank?',
  'I forgot the password.',
  'It was written by May Smith.',
  'Search for TODO in the source.',
  'Should I follow up with the client?',
  'Divide it by 3.',
  '```\n// TODO: later\n```',
  'I will explain how it works.',
  'Find `// TODO: hide the group` in the template.',
  'All TODO items from the original code have been addressed.',
  'The deadline scheduler is part of the kernel.',
]

describe('decisions', () => {
  it.each(DECISIONS)('is a decision: %s', (text) => expect(decisionFlags(text).hasDecision).toBe(true))
  it.each(NO_DECISIONS)('is no decision: %s', (text) => expect(decisionFlags(text).hasDecision).toBe(false))

  it('finds a decision in either side of an exchange', () => {
    expect(decisionFlags({ user: "Great, let's go with Postgres.", assistant: 'Fine.' }).hasDecision).toBe(true)
    expect(decisionFlags({ user: 'What now?', assistant: 'As we agreed to ship on Monday, we test today.' }).hasDecision).toBe(true)
    expect(decisionFlags({ user: 'What now?', assistant: 'Nothing.' })).toEqual({ hasDecision: false, hasAction: false })
  })

  it('is set where the extractor finds a statement, and nowhere else', () => {
    const prompt = "We don't need the retry. Should it be configurable?"
    expect(statementsOf({ message: '', text: prompt, by: 'person', to: 'agent' }).map(({ type }) => type)).toEqual(['decision'])
    expect(decisionFlags({ user: prompt, assistant: '' }).hasDecision).toBe(true)
  })

  it('a question after a decision does not hide it', () => {
    expect(decisionFlags('We decided to use Rust. Does that work for you?').hasDecision).toBe(true)
  })
})

describe('action items', () => {
  it.each(ACTIONS)('is an action: %s', (text) => expect(decisionFlags(text).hasAction).toBe(true))
  it.each(NO_ACTIONS)('is no action: %s', (text) => expect(decisionFlags(text).hasAction).toBe(false))

  it('what an agent is about to do now is left to nobody', () => {
    for (const text of ['I will look into the file now.', "I'll update the function.", 'I’ll send the report by Friday.'])
      expect(decisionFlags({ user: 'Go on.', assistant: text }).hasAction).toBe(false)
  })
})
