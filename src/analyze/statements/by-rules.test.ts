import { describe, expect, it } from 'vitest'
import { statementsOf } from './by-rules.ts'
import type { SaidText } from './extractor.ts'

const said = (text: string, more: Partial<SaidText> = {}): SaidText => ({ message: 'm', text, by: 'person', to: 'people', ...more })
const found = (text: string, more: Partial<SaidText> = {}) =>
  statementsOf(said(text, more)).map(({ type, start, end }) => [type, text.slice(start, end)])
const TO_AGENT = { to: 'agent' } as const
const BY_AGENT = { by: 'agent', to: 'people' } as const

describe('what the specification gives as examples', () => {
  it.each([
    ['decision', 'We decided to use PostgreSQL'],
    ['action_item', "I'll send the report by Friday"],
    ['commitment', "Let's meet at 3pm tomorrow"],
    ['preference_stated', 'I prefer dark mode'],
    ['correction', "Actually, it's not X, it's Y"],
    ['correction', "Actually, it's not the router, it's the cache"],
  ])('%s: %s', (type, text) => expect(found(text)).toEqual([[type, text]]))
})

describe('what people tell each other', () => {
  it.each([
    ['decision', 'Sarah and I have decided to move the launch to May.'],
    ['decision', 'The plan is to ship the beta without payments.'],
    ['decision', 'Agreed: we launch on October 13 at nine, behind the switch.'],
    ['decision', 'Ok, agreed, we’ll meet the landlord together.'],
    ['action_item', 'Please sign the contract by 12 March.'],
    ['action_item', "Don't forget to call the landlord."],
    ['commitment', 'See you on Thursday at the station!'],
    ['commitment', 'Tuesday at 10:30 works for me.'],
    ['preference_stated', "I'd rather take the train than fly."],
    ['correction', 'I meant the blue folder.'],
  ])('%s: %s', (type, text) => expect(found(text)).toEqual([[type, text]]))
})

describe('what a person tells an agent', () => {
  it.each([
    ['decision', "yeah let's make both a constant"],
    ['decision', "let's use true/false and not on/off for the flag"],
    ['decision', 'there should be only one way to read the clock in this code'],
    ['decision', 'the importer should do that by itself, not you in this one folder'],
    ['decision', 'we should at least log the files that are left out'],
    ['decision', 'Do not fallback, if a record has no owner, print a warning'],
    ['decision', "whoops, yeah let's put the filter back"],
    ['decision', "actually let's switch from polling to a watcher"],
    ['decision', "let's set the limit to 60 seconds"],
    ['decision', "let's completely remove `lamp trailer`"],
    ['decision', 'no, we dropped the lamp commands on purpose'],
    ['decision', "right now we block this while it is dark, let's remove that limit"],
    ['decision', "thinking again: let's completely remove the dimmer"],
    ['decision', "let's go yaml"],
    ['decision', "yeah let's do brightness only"],
    ['decision', 'no remove the colour again, it is too easily taken for a state'],
    ['decision', 'I think by room is too much'],
    ['decision', 'yeah I feel the prefix is redundant'],
    ['decision', 'we should add the room to every log line'],
    ['decision', 'we should be using typed rooms rather than strings wherever we can'],
    ['decision', 'I think we should separate the two kinds of lamp for clarity.'],
    ['decision', 'yeah that should be a night-light'],
    ['decision', 'the way to reach the dimmer needs to be configurable'],
    ['decision', 'for dusk, the lamps we show should be scoped to that room.'],
    ['decision', "I don't think we need suffixes for the rooms."],
    ['decision', 'we only want the lamps that are lit'],
    ['decision', 'I want a dimmer of its own, next to the old one but not wired to it'],
    ['decision', 'we want to put it on the pier, and move it when the boat comes'],
    ['decision', 'I can live with the old switch by the door'],
    ['decision', 'keep all our drawings in the boat house'],
    ['decision', 'not as a lamp, but as a lantern that somebody carries'],
    ['decision', "for every room I'd like to see its number instead of a name"],
    ['decision', 'can you put into AGENTS.md that we always light the pier before the harbour'],
    ['decision', "yeah let's add the number of the room"],
    ['decision', "I'd like to bring the warning back."],
    ['decision', 'I want to implement this as a separate lamp'],
    ['decision', "I think I'll go with the brass lantern."],
    ['decision', 'For the pier, I think we will stick with oil.'],
    ['decision', "I never liked the round ones, so I'll opt for the square lamp."],
    ['preference_stated', 'never commit to main directly'],
    ['preference_stated', 'I prefer dark mode'],
    ['action_item', "I'll send the report by Friday"],
    ['commitment', "Let's meet at 3pm tomorrow"],
    ['correction', "Actually, it's not X, it's Y"],
  ])('%s: %s', (type, text) => expect(found(text, TO_AGENT)).toEqual([[type, text]]))
})

it('what is told before a question in the same sentence is told', () => {
  expect(found("let's store the colour in metadata, can you give an example?", TO_AGENT)).toEqual([
    ['decision', "let's store the colour in metadata"],
  ])
  expect(found("let's store the colour in metadata, or what do you think?", TO_AGENT)).toEqual([])
  expect(found("let's store the colour in metadata, if that is small", TO_AGENT)).toEqual([])
})

it.each([
  ['a guess', 'that should be fine and it should work'],
  ['a guess that answers', 'yes it should work now'],
  ['work that is left', 'the importer needs to be fixed'],
  ['the next step', 'I think we should check the logs first'],
  ['the next piece of work', "ok let's move to #91."],
  ['going on', "let's go ahead"],
  ['a step', "let's do a review"],
  ['a wish about work', 'we should add some tests for it'],
  ['a wish', 'I would like to have a "gong" on the pier when the boat comes.'],
  ['a wish for more', "I'd like us to show more of what is lit."],
  ['a wish for something better', "I'd like to change this so it's more lively."],
  ['a request for a feature', "Then let's add some sort of journal to the lamp command."],
  ['another request', "let's also add a field for what is left open (perhaps unfinished) at dusk"],
  ['an order for one occasion', "no don't set it"],
  ['the order of tests', "let's not leave _all_ the tests to the very end"],
  ['a guess that is put off', "so let's not jump to the lamp just yet"],
  ['what somebody needs once', 'I just need a table of all the lamps'],
  ['what somebody wants to know', 'I just want to know which lamp is lit'],
  [
    'a finding of a review',
    'The lamp is never freed\n\nMedium Severity\n\nThe handle must be released in both paths. We should add a counter.',
  ],
])('%s is no decision', (_, text) => expect(found(text, TO_AGENT).filter(([type]) => type === 'decision')).toEqual([]))

it('an agent decides and errs, but promises and prefers nothing', () => {
  expect(found('I was wrong about the lock: the writer holds it.', BY_AGENT)).toEqual([
    ['correction', 'I was wrong about the lock: the writer holds it.'],
  ])
  expect(found('We decided to keep the old parser.', BY_AGENT)).toHaveLength(1)
  expect(found("I'll send the report by Friday. I prefer tabs. Let's use tabs.", BY_AGENT)).toEqual([])
})

it.each([
  ['a question', 'Should we use PostgreSQL? We decided to use PostgreSQL?'],
  ['a condition', 'If we decided to use PostgreSQL, the tests would be slower.'],
  ['a negation', 'We have not decided on a database yet.'],
  ['a hypothesis', "Let's say we use PostgreSQL for this."],
  ['what only leads to what follows', 'We decided to use these:'],
  ['a verdict of a review', 'Verdict: APPROVE'],
  ['a heading', '## Decision: use PostgreSQL'],
  ['a table', '| decision | we decided to use PostgreSQL |'],
  ['a quotation', '> We decided to use PostgreSQL'],
  ['words in quotes', 'The page says "we decided to use PostgreSQL" somewhere.'],
  ['inline code', 'Print `we decided to use PostgreSQL` there.'],
  ['a fenced block', '```\nWe decided to use PostgreSQL\n```'],
  ['output of a tool', '❯ We decided to use PostgreSQL\n    We decided to use PostgreSQL'],
  ['a word that only points', "yes, let's go with that one"],
  ['a letter that only points', "let's go with B"],
  ['an encouragement', "Let's keep pushing!"],
  ['what somebody else did', 'He decided to paint the lighthouse.'],
  ['news of others', 'The paper says that they had agreed on a price.'],
  ['what somebody did instead', 'Instead of going home, I lit the lamp.'],
  ['a cheer', "Don't give up on the harbour."],
  ['what somebody would rather be spared', "I don't want to have to light it by hand."],
  ['an exclamation', 'Look how bright it is.'],
  ['an ambition', 'I want to be known as a good keeper.'],
  ['an opinion that is shared', 'Agreed, we can say that it was a good week.'],
])('%s states nothing', (_, text) => {
  expect(found(text)).toEqual([])
  expect(found(text, TO_AGENT)).toEqual([])
})

it('what a person hands over to an agent is not what they say', () => {
  expect(found("Implement the following plan:\n\nLet's use SQLite for the cache.", TO_AGENT)).toEqual([])
  expect(found(`Let's use SQLite for the cache.\n${'some log\n'.repeat(300)}`, TO_AGENT)).toEqual([])
})

it('a list of an agent is no statement; an item that a person writes is one', () => {
  expect(found('- We decided to use PostgreSQL', BY_AGENT)).toEqual([])
  expect(found('- We decided to use PostgreSQL')).toEqual([['decision', 'We decided to use PostgreSQL']])
})

it('spans count UTF-16 units of the text as it is, and hold the one sentence', () => {
  const text = 'Hi 👋 there.\n\nThanks! We’ve agreed to meet the budget. More tomorrow.'
  const [one] = statementsOf(said(text))
  expect(one).toMatchObject({ message: 'm', type: 'decision', rule: 'rules:decided' })
  expect(text.slice(one?.start, one?.end)).toBe('We’ve agreed to meet the budget.')
})

it('a line that a mail program broke goes on in the next; one that ends, and a list, do not', () => {
  const broken =
    'We decided to launch on October 13 at nine in the morning, with the\nlist for support on the Friday before that and nothing else.'
  expect(found(`Hi,\n\n${broken}\nSarah`)).toEqual([['decision', broken]])
  const listed = 'We decided to use PostgreSQL for everything that customers can see\n- and nothing else for them'
  expect(found(listed)).toEqual([['decision', listed.split('\n')[0]]])
  const short = 'We decided to use PostgreSQL\nand i am hungry'
  expect(found(short)).toEqual([['decision', 'We decided to use PostgreSQL']])
  expect(found(broken, TO_AGENT)).toEqual([['decision', broken.split('\n')[0]]])
})

it('quoted history and signatures say nothing', () => {
  const text = 'We decided to use PostgreSQL.\nOn Monday Bob wrote:\nWe decided to use MySQL.'
  expect(found(text, { ownWords: [[0, 30]] })).toEqual([['decision', 'We decided to use PostgreSQL.']])
})

it('no text makes it slow or break', () => {
  for (const text of [
    "let's ".repeat(20_000),
    `${'a'.repeat(200_000)} we decided to`,
    '"'.repeat(50_000),
    `no, ${'the '.repeat(50_000)}`,
    '\ud83d'.repeat(1000),
  ])
    expect(() => statementsOf(said(text))).not.toThrow()
})

it('a commit that somebody does not like is no preference', () => {
  expect(found("I don't quite like e259b8e though", TO_AGENT)).toEqual([])
  expect(found("I don't like long commit messages", TO_AGENT)).toHaveLength(1)
})

it('what stands instead of a quotation must be said', () => {
  expect(found('instead of "Another session..."', TO_AGENT)).toEqual([])
  expect(found('instead of "Another session", say "Two sessions" there', TO_AGENT)).toHaveLength(1)
})

it('a plan begins below its heading, whatever the heading ends with', () => {
  const text = 'Implement the following plan:\n\n# Lantern - Implementation Plan\n\nThe lantern lights itself at dusk.'
  const [plan] = statementsOf(said(text, TO_AGENT))
  expect(plan).toMatchObject({ about: 'The lantern lights itself at dusk.', rule: 'rules:plan approved' })
})
