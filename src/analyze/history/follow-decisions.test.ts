import { describe, expect, it } from 'vitest'
import { exchange, SEED_START, seedSession } from '../../../test/helpers/seed-ledger.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { listDecisions } from '../../browse/decisions/decisions.ts'
import { putVerdict } from '../../ledgers/owner-verdicts.ts'
import type { Store } from '../../store/store.ts'
import { deriveEvents } from '../derive/derive-events.ts'
import { RULE_EXTRACTOR } from '../statements/by-rules.ts'
import { followDecisions } from './follow-decisions.ts'

const DAY = 86_400_000
const derive = (store: Store, version = RULE_EXTRACTOR.version) =>
  deriveEvents(store, { clock: () => NOON, extractor: { ...RULE_EXTRACTOR, version } })
const decided = (id: string, text: string, day: number, project = '/w/harbour') =>
  ({ id, project, status: 'ended', start: SEED_START + day * DAY, turns: [exchange(text, 'Done.')] }) as const
const links = async (store: Store) =>
  (await store.read.selectFrom('decision_links').selectAll().orderBy('earlier_id').orderBy('later_id').execute()).map(
    ({ earlier_id, later_id, reason }) => [nameOf(earlier_id), nameOf(later_id), reason],
  )
const nameOf = (id: string) => id.replace(/^derived:claude-code:(\w+)\/.*/, '$1')
const OPTIONS = { agentId: 'main', timezone: 'UTC', clock: () => NOON }
const list = (store: Store, request: object = {}) => listDecisions(store, request, OPTIONS)
const texts = (lines: Awaited<ReturnType<typeof list>>['lines']) =>
  lines.map(({ holds, before }) => [holds.map(({ text }) => text), before.map(({ text }) => text)])

const OFF = 'I want the lantern to be disabled by default'
const ON = 'the lantern: I want it to be enabled by default'

async function lantern(): Promise<Store> {
  const store = await tempStore()
  await seedSession(store, decided('one', `Now, about the pier.\n${OFF}`, 0))
  await seedSession(store, decided('two', ON.replace('the lantern: ', 'Thanks.\n').replace('it', 'the lantern'), 4))
  await derive(store)
  return store
}

it('what was decided later on the same subject holds, in the same project and across sessions', async () => {
  const store = await lantern()
  expect(await links(store)).toEqual([['one', 'two', 'other value']])
  const { lines } = await list(store, { subject: 'what did we decide about the lantern' })
  expect(lines).toHaveLength(1)
  const [now, was] = [lines[0]?.holds[0], lines[0]?.before[0]]
  expect(now).toMatchObject({
    status: 'holds',
    text: 'I want the lantern to be enabled by default',
    superseded_by: null,
    trust: 'owner',
    said: 1,
  })
  expect(was).toMatchObject({ status: 'superseded', text: OFF, message_id: 'claude-code:one/m0', span: [21, 21 + OFF.length] })
  expect(was?.superseded_by).toMatchObject({ id: now?.id, cite: now?.cite, decided_at: now?.decided_at, reason: 'other value' })
})

it('a rule that is said again is one line that counts, however it is said', async () => {
  const store = await tempStore()
  await seedSession(store, decided('one', 'Always run the linter first', 0))
  await seedSession(store, decided('two', 'Always run the linter first!', 1))
  await seedSession(store, decided('three', 'remember: always run the linter first', 2))
  await derive(store)
  const { lines } = await list(store, { preferences: true })
  expect(lines).toHaveLength(1)
  expect(lines[0]?.holds).toMatchObject([{ text: 'remember: always run the linter first', said: 3 }])
})

it('as of a time before, the earlier one held', async () => {
  const store = await lantern()
  const before = new Date(SEED_START + 2 * DAY).toISOString()
  expect(texts((await list(store, { subject: 'lantern', asOf: before })).lines)).toEqual([[[OFF], []]])
  expect((await list(store, { subject: 'lantern', asOf: '2020-01-01' })).lines).toEqual([])
})

it('another project decides for itself; what is less to be trusted replaces nothing', async () => {
  const store = await tempStore()
  await seedSession(store, decided('one', OFF, 0))
  await seedSession(store, decided('two', 'I want the lantern to be enabled by default', 1, '/w/market'))
  const agent = exchange('Go on.', 'We decided that the lantern is enabled by default.')
  await seedSession(store, { ...decided('three', '', 2), turns: [agent] })
  await derive(store)
  expect(await links(store)).toEqual([])
  expect((await list(store, { subject: 'lantern' })).lines).toHaveLength(3)
  await store.write(
    async (tx) => void (await tx.db.updateTable('agent_sessions').set({ project: '/w/harbour' }).where('native_id', '=', 'two').execute()),
  )
  await derive(store)
  expect(await links(store)).toEqual([['one', 'two', 'other value']])
})

it('sessions without a project: the same subject is joined, a part of it is not', async () => {
  const store = await tempStore()
  const nowhere = (id: string, text: string, day: number) => {
    const { project: _, ...session } = decided(id, text, day)
    return session
  }
  await seedSession(store, nowhere('one', "Let's go with telemetry enabled by default", 0))
  await seedSession(store, nowhere('two', "Let's go with telemetry disabled by default", 4))
  await seedSession(store, nowhere('three', 'I want the harbour lantern of the pier to be enabled by default', 5))
  await seedSession(store, nowhere('four', 'I want the garden lantern of the shed to be disabled by default', 6))
  await derive(store)
  expect(await links(store)).toEqual([['one', 'two', 'other value']])
})

it('a message that goes takes its decision along, and what it replaced holds again', async () => {
  const store = await lantern()
  await store.write(async (tx) => void (await tx.db.deleteFrom('agent_messages').where('id', '=', 'claude-code:two/m0').execute()))
  expect(await links(store)).toEqual([])
  expect(texts((await list(store)).lines)).toEqual([[[OFF], []]])
  expect(await store.read.selectFrom('decision_terms').select('term').where('event_id', 'like', '%two%').execute()).toEqual([])
})

it('a yes goes with the message that it answers, and comes back as what it is then', async () => {
  const store = await tempStore()
  const turns = [exchange('Where are we?', 'Want me to move the lantern to the pier?'), exchange('yes', 'Moved.')]
  await seedSession(store, { ...decided('one', '', 0), turns })
  await derive(store)
  expect((await list(store)).lines[0]?.holds[0]).toMatchObject({ text: 'yes', about: 'Want me to move the lantern to the pier?' })
  await store.write(
    async (tx) =>
      void (await tx.db.updateTable('agent_messages').set({ content: 'Done.' }).where('id', '=', 'claude-code:one/m1').execute()),
  )
  expect(await store.read.selectFrom('events').select('id').where('source_adapter', '=', 'derived').execute()).toEqual([])
  await derive(store)
  expect((await list(store)).lines).toEqual([])
})

describe('the owner’s word', () => {
  const ids = async (store: Store) => {
    const rows = await store.read.selectFrom('decisions').select('event_id').orderBy('made_at').execute()
    return { earlier: rows[0]?.event_id ?? '', later: rows[1]?.event_id ?? '' }
  }
  const say = async (store: Store, says: 'separate' | 'join') => {
    const pair = await ids(store)
    await store.write((tx) => putVerdict(tx, { ...pair, says }, { now: NOON, agentId: 'main' }))
    await followDecisions(store, {})
  }

  it('parts two, through a rebuild; the last word counts', async () => {
    const store = await lantern()
    await say(store, 'separate')
    expect(await links(store)).toEqual([])
    await derive(store, 'another')
    await store.write(async (tx) => void (await tx.db.deleteFrom('events').where('source_adapter', '=', 'derived').execute()))
    await derive(store)
    expect((await list(store)).lines).toHaveLength(2)
    expect(await links(store)).toEqual([])
    await say(store, 'join')
    expect(await links(store)).toEqual([['one', 'two', 'owner']])
  })

  it('joins two that share no word, and parts them again', async () => {
    const store = await tempStore()
    await seedSession(store, decided('one', "Let's use brass for the hinges", 0))
    await seedSession(store, decided('two', "Let's use oak for the doors", 1))
    await derive(store)
    expect(await links(store)).toEqual([])
    await say(store, 'join')
    expect(await links(store)).toEqual([['one', 'two', 'owner']])
    await derive(store, 'another')
    expect(await links(store)).toEqual([['one', 'two', 'owner']])
    await say(store, 'separate')
    expect(await links(store)).toEqual([])
  })
})

describe('any order of imports', () => {
  const SAID = [
    OFF,
    'I want the lantern to be enabled by default',
    "Let's use MySQL for the tide tables",
    "Let's use PostgreSQL instead of MySQL for the tide tables",
    'We decided to keep the tide tables in `tides.json`',
    'I want the tide tables to be stored in the ledger rather than `tides.json`',
    'I want the berths to start at 1 when they are numbered',
    'I want the berths to start at 0 when they are numbered',
    "Let's drop the fog horn",
    'I want the lantern to be disabled by default',
  ]
  const all = SAID.map((text, day) => decided(`s${day}`, text, day))
  const state = async (store: Store) => ({
    links: await links(store),
    decisions: await store.read.selectFrom('decisions').selectAll().orderBy('event_id').execute(),
    terms: await store.read.selectFrom('decision_terms').selectAll().orderBy('event_id').orderBy('term').execute(),
    waiting: await store.read.selectFrom('decisions_waiting').selectAll().execute(),
  })

  it('gives the same rows, whether they come one by one or at once, and so does a rebuild', async () => {
    const whole = await tempStore()
    for (const one of all) await seedSession(whole, one)
    await derive(whole)
    const expected = await state(whole)
    expect(expected.links.length).toBeGreaterThanOrEqual(5)
    expect(expected.waiting).toEqual([])
    for (let seed = 1; seed <= 4; seed++) {
      const store = await tempStore()
      for (const one of shuffled(all, seed)) {
        await seedSession(store, one)
        if (random(seed * 31 + one.id.charCodeAt(1)) > 0.4) await derive(store)
      }
      await derive(store)
      expect(await state(store), `order ${seed}`).toEqual(expected)
      await derive(store, 'another')
      expect(await state(store)).toEqual(expected)
    }
  })
})

function random(seed: number): number {
  const x = Math.sin(seed) * 10_000
  return x - Math.floor(x)
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((item, i) => ({ item, at: random(seed * 101 + i) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

it('many decisions of one subject can be stopped, and go on where they stopped', { timeout: 60_000 }, async () => {
  const store = await tempStore()
  const turns = Array.from({ length: 260 }, (_, n) =>
    exchange(`We decided to use lantern${n % 7} instead of lamp${n % 5} for the harbour in week ${n}.`, 'Done.'),
  )
  await seedSession(store, { ...decided('one', '', 0), turns })
  await derive(store)
  const undisturbed = await links(store)
  expect(undisturbed.length).toBeGreaterThan(100)
  await store.write((tx) => tx.db.deleteFrom('decisions').execute())
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 1)
  await expect(followDecisions(store, { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  const waiting = await store.read.selectFrom('decisions_waiting').select('event_id').execute()
  expect(waiting.length).toBeGreaterThan(0)
  expect(await followDecisions(store, {})).toBe(waiting.length)
  expect(await links(store)).toEqual(undisturbed)
})
