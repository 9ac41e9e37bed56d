/** What is known of people and things, from imported messages to what is printed: `entities show`, `--entity` on every list, habits. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_CONFIG } from '../../src/cli/demo-plan.ts'
import {
  copySamples,
  type EpisodeList,
  type EventList,
  openMnemonic,
  type SearchAnswer,
  type ShownEntity,
  type TimelineAnswer,
} from '../../src/library/index.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { openMessages } from '../helpers/messages-database.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { seedEntities, seedId, seedMentions, seedObservations } from '../helpers/seed-graph.ts'

const home = binaryHome()
const folders = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
const [MOM, SARAH, QUEUE] = [seedId('Mom'), seedId('Sarah Chen'), seedId('queue')]
const DAY = 86_400_000
/** Nine in the evening in Melbourne, where the owner of the samples lives, in winter. */
const EVENING = Date.UTC(2026, 5, 1, 11)
let said: { id: string; session_id: string; turn_id: string | null }

const run = (...argv: string[]) => home.runHere(...argv)
const json = async <T>(...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout) as T

beforeAll(async () => {
  mkdirSync(folders.home, { recursive: true })
  writeFileSync(join(folders.home, 'config.yaml'), DEMO_CONFIG, { mode: 0o600 })
  const samples = join(home.root, 'samples')
  await copySamples(samples)
  const mom = openMessages(join(home.root, 'mom', 'chat.db'))
  const handle = mom.handle('+61491570199')
  const chat = mom.chat({ guid: 'iMessage;-;+61491570199', style: 45, chat_identifier: '+61491570199', service_name: 'iMessage' }, [handle])
  const times = [...[0, 3, 6, 9, 12, 15, 18, 21].map((day) => EVENING + day * DAY), EVENING + 4.5 * DAY, EVENING + 10.4 * DAY]
  for (const [i, at] of times.entries()) mom.message({ guid: `MOM-${i}`, text: 'How was your day?', chat, from: handle, at })
  mom.close()
  const memory = await openMnemonic({ ...folders, agent: 'main' })
  await memory.sync({ path: samples, embed: false })
  await memory.sync({ path: join(home.root, 'mom'), adapters: ['imessage'], embed: false })
  await memory.close()
  const store = await openSqlite({ path: join(folders.home, 'mnemonic.db'), clock: Date.now })
  said = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('derived_sources as d', 'd.message', 'm.id')
    .select(['m.id', 'm.session_id', 'm.turn_id'])
    .where('m.content', 'like', '%queue%')
    .where('m.turn_id', 'is not', null)
    .orderBy('m.id')
    .executeTakeFirstOrThrow()
  const episode = await store.read
    .selectFrom('episodes')
    .select('id')
    .where('definition_id', '=', 'agent_turn')
    .where('thread_id', '=', said.session_id)
    .executeTakeFirstOrThrow()
  await seedEntities(store, [
    { id: MOM, name: 'Mom', aliases: [['phone', '+61491570199']] },
    { id: SARAH, name: 'Sarah Chen', aliases: [['phone', '+61491570156']] },
    { id: QUEUE, name: 'job queue', type: 'project' },
  ])
  await seedMentions(store, [{ episode: episode.id, entity: QUEUE, message: said.id }])
  await seedObservations(store, [
    {
      id: 'uses',
      subject: QUEUE,
      type: 'USES',
      literal: 'SQLite',
      fact: 'The job queue uses SQLite',
      saidAt: EVENING,
      message: said.id,
      span: [0, 5],
    },
  ])
  await store.close()
  await run('sync', '--no-embed')
})
afterAll(() => home.remove())

describe('habits from imported messages', () => {
  it('Mom usually texts at 9pm', async () => {
    const { current } = await json<ShownEntity>('entities', 'show', 'Mom')
    expect(current.find(({ type }) => type === 'TYPICALLY_CONTACTS_AT')).toMatchObject({
      literal: '21:00',
      confidence: 0.8,
      observations: [{ source_type: 'inferred', counted: 10, trust: 'contact' }],
    })
    const { stdout } = await run('entities', 'show', 'Mom')
    expect(stdout).toContain('typically contacts at 21:00')
    expect(stdout).toContain('counted from 10 events')
  })

  it('forgetting one of the messages counts again', async () => {
    const event = 'imessage:MOM-0'
    expect((await run('forget', '--match', 'How was your day?', '--yes')).code).toBe(0)
    await run('sync', '--no-embed')
    const { current } = await json<ShownEntity>('entities', 'show', 'Mom')
    expect(current, event).toEqual([])
  })
})

describe('entities find, entities related', () => {
  it('prints what is called so, and what it has to do with', async () => {
    const { entities } = await json<{ entities: { name: string; by: string }[] }>('entities', 'find', 'job queue')
    expect(entities[0]).toMatchObject({ name: 'job queue', by: 'name', type: 'project' })
    expect((await run('entities', 'find', 'nobody at all')).stderr).toContain('there is no such entity')
    const related = await json<{ neighbours: unknown[]; path: unknown }>('entities', 'related', 'job queue')
    expect(related).toMatchObject({ entity: { name: 'job queue' }, neighbours: [], path: null })
    expect((await run('entities', 'related', 'job queue', '--to', 'Sarah Chen')).stderr).toContain('nothing that was said leads')
  })
})

/** Where the samples have something of Sarah Chen, once a sync has read who she is. */
const CHANNELS = ['imessage', 'calendar', 'gmail']

describe('--entity', () => {
  it('search finds what names it, and nothing else', async () => {
    const { results } = await json<SearchAnswer>('search', 'queue', '--entity', 'job queue')
    expect(results.length).toBeGreaterThan(0)
    expect(new Set(results.map(({ turn_id }) => turn_id))).toEqual(new Set([said.turn_id]))
    const all = await json<SearchAnswer>('search', 'queue')
    expect(new Set(all.results.map(({ turn_id }) => turn_id)).size).toBeGreaterThan(1)
  })

  it('of a person also what they sent and received, without a query', async () => {
    const { results } = await json<SearchAnswer>('search', '--entity', 'Sarah Chen')
    expect(new Set(results.map(({ channel }) => channel))).toEqual(new Set(CHANNELS))
  })

  it('narrows episodes, events and the timeline', async () => {
    const sarah = await json<EpisodeList>('episodes', '--entity', 'Sarah Chen')
    expect(sarah.total).toBeGreaterThan(0)
    expect(new Set(sarah.episodes.map(({ channel }) => channel))).toEqual(new Set(CHANNELS))
    const queue = await json<EpisodeList>('episodes', '--entity', 'job queue')
    expect(queue.episodes.map(({ thread_id }) => thread_id)).toEqual([said.session_id])
    const events = await json<EventList>('events', '--all', '--entity', 'Sarah Chen', '-n', '100')
    expect(events.total).toBeGreaterThan(3)
    expect(events.events.every(({ channel }) => CHANNELS.includes(channel))).toBe(true)
    const derived = await json<EventList>('events', '--entity', 'job queue')
    expect(new Set(derived.events.map(({ message_id }) => message_id))).toEqual(new Set([said.id]))
    expect(derived.total).toBeLessThan((await json<EventList>('events')).total)
    const { days } = await json<TimelineAnswer>('timeline', '--after', '2026-10-01', '--before', '2026-11-01', '--entity', 'Sarah Chen')
    expect(days.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toContain('conversation')
    expect(days.every(({ entries }) => entries.every(({ channel }) => CHANNELS.includes(channel)))).toBe(true)
  })

  it('a name that nothing has is a mistake, in every list', async () => {
    for (const command of ['search', 'episodes', 'events', 'timeline']) {
      const { code, stderr } = await run(command, '--entity', 'Sara Chen')
      expect(code, command).toBe(2)
      expect(stderr, command).toContain('Sarah Chen')
    }
  })
})

describe('entities show', () => {
  it('prints what holds with where it was said, and as of a day before it nothing', async () => {
    const { stdout, code } = await run('entities', 'show', 'job', 'queue')
    expect(code).toBe(0)
    expect(stdout).toContain('uses SQLite')
    const about = await json<ShownEntity>('entities', 'show', 'job queue')
    const [statement] = about.current
    expect(statement?.observations).toMatchObject([{ message_id: said.id, span: [0, 5], turn_id: said.turn_id }])
    const shown = await run('show', statement?.observations[0]?.id ?? '')
    expect(shown.code).toBe(0)
    expect((await json<ShownEntity>('entities', 'show', 'job queue', '--as-of', '2026-05-01')).current).toEqual([])
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
