import { describe, expect, it } from 'vitest'
import { firstLook } from './first-look.ts'

const RECALL = [
  'why did we drop the retry queue?',
  'What did we decide about the invoice numbers?',
  'did we ever try a bloom filter here?',
  'how did I want the changelog to be written?',
  'remind me how the beacon build works',
  'The tide service hung on startup last week, what was it?',
  'who did Orla say would review the schema?',
  'why hash the name instead of the path?',
  'what happened to the lantern branch on March 3?',
  'do you remember which port the harbor service uses',
]
const NONE = ['', '   ', 'y', '/compact', '👍', '/review-pr 12', '```\nwhy did we do this?\n```', '> why did we do this?']
const OPEN = [
  'Please rename the button',
  'where does the beacon write its log?',
  'fix lint errors',
  'can you run the tests again?',
  'why did you delete that file?',
]

describe('what a prompt alone tells', () => {
  it.each(RECALL)('asks for what was: %s', (prompt) => expect(firstLook(prompt)).toMatchObject({ says: 'recall' }))
  it.each(NONE)('has nothing to look for: %j', (prompt) => expect(firstLook(prompt).says).toBe('none'))
  it.each(OPEN)('depends on what memory knows: %s', (prompt) => expect(firstLook(prompt).says).toBe('ask'))

  it('a plan that is handed over brings along what it is about; a question before it still counts', () => {
    const plan = `# Plan\n${'Move the beacon store to its own file. '.repeat(60)}`
    expect(firstLook(`Implement the following plan:\n${plan}`)).toMatchObject({ says: 'none', reason: 'it brings along what it is about' })
    expect(firstLook(`Why did we drop the first version of this?\n${plan}`).says).toBe('recall')
  })

  it('memory that was injected before asks nothing', () => {
    const injected = '<mnemonic-memory v="1">\nwhy did we drop the queue?\n</mnemonic-memory>'
    expect(firstLook(`${injected}\nok`).says).toBe('none')
  })

  it('finds identifiers, files and tickets, and no word of prose', () => {
    const { names } = firstLook('Is parseTide() in src/tide/parse.ts, re-run and/or fixed by HARB-12? See https://example.com/a.b')
    expect(names.codes).toEqual(['parseTide', 'src/tide/parse.ts'])
    expect(names.tickets).toEqual(['HARB-12'])
  })

  it('takes no longer for a hostile text', () => {
    for (const text of [
      'why '.repeat(50_000),
      '`'.repeat(100_000),
      `${'a-'.repeat(60_000)}?`,
      `${'what '.repeat(200)}did`,
      '?'.repeat(100_000),
    ])
      expect(['none', 'ask', 'recall']).toContain(firstLook(text).says)
  })
})
