import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/helpers/processor-time.ts'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import { extractGraph } from './extract-graph.ts'

const AT = Date.UTC(2026, 1, 10, 12)
const say = (text: string, more: Partial<EpisodeMessage> = {}): EpisodeMessage => ({
  ...{
    message: 'm1',
    text,
    by: 'person',
    to: 'people',
    timestamp: AT,
    trust: 'owner',
    handle: null,
    speaker: null,
    isOwner: true,
    turn: null,
  },
  ...more,
})
const toAgent = (text: string, more: Partial<EpisodeMessage> = {}) => say(text, { to: 'agent', ...more })
const from = (speaker: string, text: string, more: Partial<EpisodeMessage> = {}) =>
  say(text, { speaker, isOwner: false, trust: 'contact', handle: `${speaker.toLowerCase()}@lantern.example`, ...more })
const episode = (messages: EpisodeMessage[], more: Partial<EpisodeText> = {}): EpisodeText => ({
  ...{ id: 'e', definition: 'aix_turn', channel: null, thread: null, agentId: 'main', project: null, startTime: AT, endTime: AT },
  ...{ trust: 'owner', messages, people: [], calls: [], cut: false, ...more },
})
const extracted = (messages: EpisodeMessage[], more: Partial<EpisodeText> = {}) =>
  extractGraph(episode(messages, more), { timezone: 'Australia/Melbourne', observe: true })

function facts(messages: EpisodeMessage | EpisodeMessage[], more: Partial<EpisodeText> = {}): string[] {
  const { entities, observations } = extracted([messages].flat(), more)
  const name = (ref: string) => entities.find((one) => one.ref === ref)?.name ?? '?'
  return observations.map(
    ({ subject, type, object, invalidAt }) =>
      `${name(subject)} ${type} ${'ref' in object ? name(object.ref) : JSON.stringify(object.literal)}${invalidAt === undefined ? '' : ' (former)'}`,
  )
}

describe('what the specification gives as examples, where the text says it', () => {
  it.each([
    ['Tyler works at Anthropic.', ['Tyler WORKS_AT Anthropic']],
    ['Tyler is building Nexus at Anthropic', ['Tyler BUILDING Nexus', 'Tyler WORKS_AT Anthropic']],
    ['Tyler used to work at Google', ['Tyler WORKS_AT Google (former)']],
    ["Mom's birthday is May 15, 1968", ['Mom BORN_ON "1968-05-15"']],
    ["Mom's birthday is May 15", ['Mom BORN_ON "05-15"']],
    ["Tyler's favorite color is purple.", ['Tyler PREFERS "purple"']],
    ["Tyler's favourite colour is blue now", ['Tyler PREFERS "blue"']],
    ['Tyler and Sarah know each other.', ['Tyler KNOWS Sarah']],
    ['Luna needs medication at 8am', ['Luna HAS_SCHEDULE "medication at 08:00"']],
    ["Sarah mentioned she's moving to NYC", ['Sarah MOVING_TO NYC']],
    ['I prefer dark mode', ['Owner PREFERS "dark mode"']],
    ["Tyler's favorite color changed to blue.", ['Tyler PREFERS "blue"']],
    ["Tyler's favourite colour has changed from purple to blue.", ['Tyler PREFERS "blue"']],
    ['Kim prefers to be contacted on Signal.', ['Kim PREFERS_CHANNEL "Signal"']],
    ['Mom prefers to be called.', []],
    ['Mom texts me every day.', ['Mom COMMUNICATION_FREQUENCY "every day"']],
    ['Sam and Alex are dating.', ['Sam DATING Alex']],
  ])('%s', (text, expected) => expect(facts(say(text))).toEqual(expected))

  it('a project uses one thing, then another', () => {
    const inLantern = { project: 'lantern' }
    expect(facts(toAgent('We use MySQL.'), inLantern)).toEqual(['lantern USES MySQL'])
    expect(facts(toAgent('We decided to use PostgreSQL instead of MySQL.'), inLantern)).toEqual(['lantern USES PostgreSQL'])
    expect(facts(toAgent('We switched from MySQL to PostgreSQL.'), inLantern)).toEqual([
      'lantern USES MySQL (former)',
      'lantern USES PostgreSQL',
    ])
    // "We" means nothing without a project.
    expect(facts(say('We decided to use PostgreSQL instead of MySQL.'))).toEqual([])
    expect(facts(say('Lantern uses PostgreSQL.'))).toEqual(['Lantern USES PostgreSQL'])
  })
})

describe('what people say of themselves and of those close to them', () => {
  it.each([
    ['I work as a data engineer at Canva.', ['Owner WORKS_AT Canva']],
    ['I live in Melbourne.', ['Owner LIVES_IN Melbourne']],
    ['I was born in Lisbon.', ['Owner BORN_IN Lisbon']],
    ['I was born on 3 March 1990.', ['Owner BORN_ON "1990-03-03"']],
    ['My sister Emily lives in Perth.', ['Emily SIBLING_OF Owner', 'Emily LIVES_IN Perth']],
    ['My wife works at Atlassian.', ['Wife WORKS_AT Atlassian']],
    ['Dinner with my friends Josh and Mark was great.', ['Josh FRIEND_OF Owner', 'Mark FRIEND_OF Owner']],
    ['Would my cousin Jenny like a teapot?', ['Jenny RELATIVE_OF Owner']],
    ['My cat Luna sleeps all day.', ['Owner HAS_PET Luna']],
    ['We adopted a puppy named Biscuit', []],
    ['I have a golden retriever named Max.', ['Owner HAS_PET Max']],
    ['I founded Lantern Labs in 2019.', ['Owner FOUNDED Lantern Labs']],
    ["I'm the co-founder of Quill.", ['Owner FOUNDED Quill']],
    ['I love hiking!', ['Owner INTERESTED_IN "hiking"']],
    ["I don't like dark beer.", ['Owner DISLIKES "dark beer"']],
    ['I have yoga every Tuesday at 7pm.', ['Owner HAS_SCHEDULE "yoga every Tuesday at 19:00"']],
    ['Our anniversary is June 3.', ['Owner ANNIVERSARY_ON "06-03"']],
    ['My dentist appointment is scheduled for Friday.', ['dentist appointment SCHEDULED_FOR "2026-02-13"']],
    ['The launch was on 13 October 2025.', ['launch OCCURRED_ON "2025-10-13"']],
    ['I no longer work at Google.', ['Owner WORKS_AT Google (former)']],
    ['I attended the Impressionist exhibition.', ['Owner ATTENDED Impressionist exhibition']],
    ["I've been dating Priya since March.", ['Owner DATING Priya']],
    ['My email is jason@lantern.dev.', ['Owner HAS_EMAIL "jason@lantern.dev"']],
    ["I'm a big fan of jazz.", ['Owner INTERESTED_IN "jazz"']],
    ['I just started at Canva.', ['Owner WORKS_AT Canva']],
    ['I started at Monash University last week.', []],
    ['I joined Atlassian as a designer.', ['Owner WORKS_AT Atlassian']],
    ['I left Brightline, I start at Hooli next Monday.', ['Owner WORKS_AT Hooli', 'Owner LEFT Brightline (former)']],
    ["I'm starting my new job at Canva on Monday.", ['Owner WORKS_AT Canva']],
    ["Tyler's joining Initech next week.", ['Tyler WORKS_AT Initech']],
    ['Tyler will join Initech next week.', ['Tyler WORKS_AT Initech']],
    ['I start at Hooli.', []],
    ['I start at Monash University next Monday.', []],
    ['I heard he joined Initech.', []],
    ['I work for the city council.', ['Owner WORKS_AT "the city council"']],
    ['I got hired by Canva!', ['Owner WORKS_AT Canva']],
    ['I quit my job at Google.', ['Owner WORKS_AT Google (former)']],
    ['We moved to Berlin.', ['Owner LIVES_IN Berlin']],
    ['We moved to Postgres.', []],
    ['We live in Portugal now.', ['Owner LIVES_IN Portugal']],
    ['I grew up in Perth.', ['Owner COMES_FROM Perth']],
    ['I have a sister called Emily.', ['Emily SIBLING_OF Owner']],
    ['My brother is called Tom.', ['Tom SIBLING_OF Owner']],
    ['A colleague of mine named Priya helped.', ['Priya COLLEAGUE_OF Owner']],
    ['Our dog Rex barks.', ['Owner HAS_PET Rex']],
    ['Our daughter Mia is four.', ['Mia CHILD_OF Owner']],
    ['I report to Sarah.', ['Sarah MANAGER_OF Owner']],
    ['I work with Tom on the parser.', ['Tom COLLEAGUE_OF Owner']],
    ['I work with Redis on a queue.', []],
    ['Anna and I got married in May.', ['Owner SPOUSE_OF Anna']],
    ["I'm allergic to peanuts.", ['Owner ALLERGIC_TO "peanuts"']],
    ['I was born May 15, 1990.', ['Owner BORN_ON "1990-05-15"']],
    ['Gina was born in Turin on May 3, 1980.', ['Gina BORN_IN Turin', 'Gina BORN_ON "1980-05-03"']],
    ["Alex's wedding anniversary is June 3.", ['Alex ANNIVERSARY_ON "06-03"']],
    ['Tyler left Google and joined Anthropic in January.', ['Tyler WORKS_AT Anthropic', 'Tyler LEFT Google (former)']],
    ['I left Slack and joined Zoom.', ['Owner WORKS_AT Zoom', 'Owner LEFT Slack (former)']],
    ["My wife Elena works at St Mary's.", ['Elena SPOUSE_OF Owner', "Elena WORKS_AT St Mary's"]],
    ["Tyler works at Google's office in Zurich.", ['Tyler WORKS_AT Google']],
    ["Priya's mail address is priya@studio.example.", ['Priya HAS_EMAIL "priya@studio.example"']],
    ["Rob's phone number is +61 491 570 156.", ['Rob HAS_PHONE "+61 491 570 156"']],
    ['Juno Park is @junowrites on Mastodon.', ['Juno Park HAS_USERNAME "junowrites"']],
    ['The test user’s email is rob@example.com. Sample data: Rob’s email is rob@example.com', []],
  ])('%s', (text, expected) => expect(facts(say(text))).toEqual(expected))
})

describe('what people type', () => {
  it.each([
    ['i live in Lisbon', ['Owner LIVES_IN Lisbon']],
    ["i'm a staff engineer at Initech", ['Owner WORKS_AT Initech']],
    ['my manager is Priya', ['Priya MANAGER_OF Owner']],
    ['My manager is Dutch. My manager is away.', []],
    ['My coworker Will lives in Oslo.', ['Will COLLEAGUE_OF Owner', 'Will LIVES_IN Oslo']],
    ['My friend May works at Figma.', ['May FRIEND_OF Owner', 'May WORKS_AT Figma']],
    ['Will works at Stripe.', ['Will WORKS_AT Stripe']],
    ['Will Stripe work for us? May is in Oslo.', []],
    ['Łukasz works at Allegro.', ['Łukasz WORKS_AT Allegro']],
    ['Søren lives in Århus.', ['Søren LIVES_IN Århus']],
    ['My friend Ольга lives in Riga.', ['Ольга FRIEND_OF Owner', 'Ольга LIVES_IN Riga']],
    ['Priya has worked at Siemens since 2019.', ['Priya WORKS_AT Siemens']],
    ['Tyler is still at Google.', ['Tyler WORKS_AT Google']],
    ['Tyler is back at Berlin.', []],
    ["Tyler doesn't work at Google. I do not live in Perth.", ['Tyler NOT_WORKS_AT Google', 'Owner NOT_LIVES_IN Perth']],
    ["Tyler doesn't work at Google anymore.", ['Tyler WORKS_AT Google (former)']],
    ['Tyler left Google last month.', ['Tyler LEFT Google']],
    ['Tyler left Berlin. Tyler left Slack open.', []],
    ['The class Tyler::Worker works at Queue level. app.Tyler works at Redis.', []],
    ["dad's birthday is april 2nd 1960", ['Dad BORN_ON "1960-04-02"']],
    ['mom lives in Porto', ['Mom LIVES_IN Porto']],
    ['Mom usually texts at 9pm', ['Mom TYPICALLY_CONTACTS_AT "21:00"']],
  ])('%s', (text, expected) => expect(facts(say(text)).map((one) => one.replace(/(?<=NOT_.*|LEFT.*) \(former\)$/, ''))).toEqual(expected))
})

describe('what states nothing', () => {
  it.each([
    ['a question', 'Do I work at Google? Does Tyler live in Perth?'],
    ['a condition', 'If Tyler works at Google, ask him.'],
    ['a wish', 'I wish I lived in Lisbon. I would live in Lisbon.'],
    ['a plan that is open', "I'm thinking of moving to Perth. Maybe I'm moving to Perth."],
    [
      'a negation',
      "Tyler isn't at Google. I have never lived in Perth. It's false that Zack works at Valve. It is not true that Zack lives in Perth.",
    ],
    [
      'what a test or a fixture says',
      'Print Tom works at Trello. The fixture has a user: Tom works at Asana. Add a test that says Tom works at Slack.',
    ],
    ['hearsay', 'They say Tyler works at Google. I heard that Tyler lives in Perth.'],
    ['a quotation', 'The card says "I work at Google" in red.'],
    ['a quoted line', '> I work at Google'],
    ['inline code', 'Print `I live in Perth` there.'],
    ['a fenced block', '```\nI live in Perth\n```'],
    ['fiction', 'Write a story: I live in Perth. My sister Emily works at Google.'],
    ['a role', 'Pretend that you are me. I live in Perth.'],
    ['money', 'My salary at Google: I work at Google for $100 an hour.'],
    ['a word that only points', 'I love doing that. I prefer it. I hate this.'],
    ['a date that is no place', 'I work for Monday. I live in May.'],
    ['a task', 'Working on it. I work on this at home.'],
  ])('%s', (_, text) => {
    expect(facts(say(text))).toEqual([])
    expect(facts(toAgent(text))).toEqual([])
  })

  it('financial facts are never taken', () => {
    for (const text of ['My account number is 12345678.', 'I own $5,000 of stock.', 'My salary at Canva is good and I work at Canva.'])
      expect(facts(say(text)), text).toEqual([])
  })
})

describe('what is nobody’s statement', () => {
  const FACT = 'I work at Google. My cat Luna lives in Perth.'
  it.each([
    ['an agent', say(FACT, { by: 'agent', trust: 'agent', isOwner: false })],
    ['a schedule that asks in the name of an agent', toAgent(FACT, { trust: 'agent' })],
    ['a system reminder', toAgent(`<system-reminder>\n${FACT}\n</system-reminder>\nhello`)],
    ['injected memory', toAgent(`<mnemonic-memory v="1">\n${FACT}\n</mnemonic-memory>\nhello`)],
    ['injected memory between people', say(`<mnemonic-memory v="1">\n${FACT}\n</mnemonic-memory>\nhello`)],
    ['injected memory in the middle of a line', toAgent(`hello <memory>${FACT}</memory> bye`)],
    ['a reminder that nothing closes', toAgent(`hello\n<system-reminder>\n${FACT}`)],
    ['output of a command', toAgent(`<local-command-stdout>\n${FACT}\n</local-command-stdout>`)],
    ['a boot file', toAgent(`# AGENTS.md\n\n${FACT}`)],
    ['a boot file that is pasted', toAgent(`Contents of /home/jason/CLAUDE.md:\n\n${FACT}`)],
    ['a system prompt', toAgent(`You are a helpful assistant.\n${FACT}`)],
    ['the summary of a compaction', toAgent(`This session is being continued from a previous one.\n${FACT}`)],
    ['a long text that is handed over', toAgent(`${FACT}\n${'some log\n'.repeat(300)}`)],
    ['the history that a mail quotes', say(`Fine.\n\n${FACT}`, { ownWords: [[0, 5]] })],
    ['a circular', from('News', `${FACT} Click to unsubscribe.`, { trust: 'untrusted' })],
    ['a machine', say(FACT, { handle: 'no-reply@lantern.example', trust: 'untrusted', isOwner: false })],
  ])('%s', (_, message) => expect(facts(message)).toEqual([]))

  it('a stranger may speak of themselves only, and counts for half', () => {
    const mail = from('Rita', 'I work at Google. Tyler works at Canva.', { trust: 'untrusted' })
    expect(facts(mail)).toEqual(['Rita WORKS_AT Google'])
    expect(extracted([mail]).observations[0]?.confidence).toBeLessThan(0.5)
  })
})

describe('who is meant', () => {
  it('"I" is the author: by handle, and the same as the name that others use', () => {
    const { entities, observations } = extracted([from('Sarah', 'I live in Perth.'), say('Sarah works at Canva.')])
    expect(observations.map(({ subject, type }) => [subject, type])).toEqual([
      ['handle:sarah@lantern.example', 'LIVES_IN'],
      ['handle:sarah@lantern.example', 'WORKS_AT'],
    ])
    const sarah = entities.find(({ ref }) => ref === 'handle:sarah@lantern.example')
    expect(sarah?.aliases).toContainEqual({ type: 'email', value: 'sarah@lantern.example', from: 'header' })
  })

  it('two who take part with one first name: the text does not say which', () => {
    const people = ['sarah.a@x.dev', 'sarah.b@x.dev'].map((handle) => ({ handle, name: 'Sarah', role: 'to', message: 'm1' }))
    expect(extracted([say('Sarah works at Canva.')], { people }).observations[0]?.subject).toBe('person:sarah')
  })

  it("another's mom is not the owner's", () => {
    expect(facts(from('Sarah', "My mom's birthday is May 15."))).toEqual(['Sarah\'s mom BORN_ON "05-15"'])
  })

  it('a person uses what a person uses, and a project what a project uses', () => {
    const types = (text: string) => extracted([say(text)]).entities.map(({ type, name }) => `${type} ${name}`)
    expect(types('Sarah uses Notion.')).toContain('person Sarah')
    expect(types('Lantern uses PostgreSQL.')).toContain('project Lantern')
  })

  it('a town, a company and a word at the beginning of a sentence are nobody', () => {
    for (const text of ['Chicago works at night for Boeing.', 'Google works at Berlin.', 'Nothing works at Canva.'])
      expect(facts(say(text)), text).toEqual([])
  })

  it('a name that the source does not give is not made up', () => {
    expect(facts(say('I live in Perth.', { isOwner: false, trust: 'contact' }))).toEqual([])
  })

  it('one that is a pet somewhere in the episode is one everywhere in it', () => {
    const { entities } = extracted([say('Luna needs medication at 8am.'), say('My cat Luna is better.', { message: 'm2' })])
    expect(entities.filter(({ name }) => name === 'Luna').map(({ type }) => type)).toEqual(['pet'])
  })
})

it('spans count UTF-16 units: the observation has its sentence, the mention its word', () => {
  const text = 'Hi 👋 all.\nMy sister Emily lives in Perth. More tomorrow.'
  const { entities, observations } = extracted([say(text)])
  const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
  expect(observations.map(({ span }) => slice(span))).toEqual(Array(2).fill('My sister Emily lives in Perth.'))
  const of = (name: string) => entities.find((one) => one.name === name)?.mentions.map(slice)
  expect([of('Emily'), of('Perth'), of('Owner')]).toEqual([['Emily'], ['Perth'], ['My']])
})

describe('dates are resolved against the time of the message', () => {
  const valid = (text: string) => {
    const [one] = extracted([say(text)]).observations
    return [one?.validAt, one?.invalidAt].map((ms) => (ms === undefined ? null : new Date(ms).toISOString().slice(0, 10)))
  }
  it.each([
    ["I've been living in Perth since March 2024.", ['2024-02-29', null]],
    ["I'm moving to Perth next Tuesday.", ['2026-02-16', null]],
    ['I have lived in Perth for two years.', ['2024-02-11', null]],
    ['I worked at Google until 2019.', [null, '2018-12-31']],
    // "Since" a future date is impossible: the date is dropped, the fact stays.
    ["I've been living in Perth since December 2029.", [null, null]],
    ["I'm moving to Perth.", [null, null]],
  ])('%s', (text, expected) => expect(valid(text)).toEqual(expected))
})

it('whom people name to each other is somebody, where the lexicon knows the name; an agent is told of many', () => {
  const people = (message: EpisodeMessage) => extracted([message]).entities.map(({ type, name }) => `${type} ${name}`)
  expect(people(say('Lunch with Sarah and Tom on Friday? I met Rachel.'))).toEqual(['person Sarah', 'person Tom', 'person Rachel'])
  expect(people(say('Lunch with Google. I met Paris. Call Support. See Monday. An evening with Sarah Connor trivia.'))).toEqual([])
  expect(people(toAgent('Lunch with Sarah and Tom on Friday'))).toEqual([])
  expect(people(say('Lunch with Sarah.', { trust: 'untrusted', isOwner: false, speaker: null }))).toEqual([])
})

describe('identifiers', () => {
  const named = (message: EpisodeMessage) =>
    extracted([message]).entities.map(({ type, name, aliases }) => [type, name, aliases[0]?.type, aliases[0]?.value])
  it('a repository, a package and a document that a person names', () => {
    expect(named(toAgent('clone https://github.com/lantern/queue.git and look at @docs/leases.md'))).toEqual([
      ['project', 'queue', 'repository', 'lantern/queue'],
      ['document', 'leases.md', 'path', 'docs/leases.md'],
    ])
    expect(named(toAgent('run npm install --save-dev @lantern/retry@1.2.0 please'))).toEqual([
      ['entity', '@lantern/retry', 'package', '@lantern/retry'],
    ])
    expect(named(say('write to tom@lantern.dev, not to info@lantern.dev'))).toEqual([
      ['person', 'tom@lantern.dev', 'email', 'tom@lantern.dev'],
    ])
  })
  it('no code, no settings, nothing that a program wrote, and no word that stands for a name', () => {
    expect(named(toAgent('look at src/jobs/lease.ts and .app/settings.json and run npm install package'))).toEqual([])
    expect(named(toAgent('see 81/cecbab0b2c/context.md and dist/notes.md, then brew install formula'))).toEqual([])
    const inLantern = { project: 'lantern' }
    expect(facts(toAgent('We use US English for all texts.'), inLantern)).toEqual([])
  })
  it('nothing of what an agent or a stranger names', () => {
    expect(named(say('see https://github.com/a/b', { by: 'agent', trust: 'agent', isOwner: false }))).toEqual([])
    expect(named(say('see https://github.com/a/b', { trust: 'untrusted', isOwner: false }))).toEqual([])
  })
})

it('no text makes it slow or break', () => {
  for (const text of [
    'my '.repeat(6_000),
    `${'A'.repeat(19_000)} works at`,
    'I work at '.repeat(1_900),
    'My friend Anna and '.repeat(1_000),
    '<a>'.repeat(5_000),
    '\ud83d'.repeat(1_000),
    `I prefer ${'a '.repeat(9_000)}`,
  ]) {
    const spent = processorTime()
    expect(() => extracted([say(text)])).not.toThrow()
    expect(spent()).toBeLessThan(5_000)
  }
})

it('the owner is known by the configuration where a harness names nobody', () => {
  const options = { timezone: 'UTC', observe: true, owner: { name: 'Jason Wu', handle: 'jason@lantern.example' } }
  const { entities } = extractGraph(episode([toAgent('I live in Perth.')]), options)
  expect(entities[0]).toMatchObject({ ref: 'owner', name: 'Jason Wu', aliases: [{ type: 'email', from: 'header' }, { type: 'name' }] })
})
