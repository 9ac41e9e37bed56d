import { describe, expect, it } from 'vitest'
import { type SeedObservation, seedEntities, seedId, seedMentions, seedObservations } from '../../../test/helpers/seed-graph.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { updateEpisodes } from '../../episodes/update.ts'
import { eventsWriter } from '../../ledgers/events-writer.ts'
import type { Store } from '../../store/store.ts'
import { entityCalled, findEntities } from '../find-entity.ts'
import { episodesNaming, saidIn } from './mentions.ts'
import { neighboursOf, pathBetween } from './neighbours.ts'
import { type Synthesis, synthesize } from './synthesize.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
const [TYLER, TY, SARAH, ANTHROPIC, GOOGLE, NEXUS] = ['tyler', 'ty', 'sarah', 'anthropic', 'google', 'nexus'].map(seedId) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const OPTIONS = { agentId: 'main', now: NOON }
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

function said(
  id: string,
  subject: string,
  type: string,
  target: { object?: string; literal?: string },
  fact: string,
  day: string,
): SeedObservation {
  return { id, subject, type, ...target, fact, saidAt: at(day), message: `imessage:${id}` }
}

async function graph(): Promise<Store> {
  const store = await tempStore()
  const texts = {
    a: 'Tyler works at Anthropic',
    b: 'Tyler used to work at Google',
    c: 'Tyler and Sarah know each other',
    d: 'Sarah is building Nexus',
  }
  await store.write((tx) =>
    eventsWriter({ adapter: 'imessage' }).apply(tx, [
      { type: 'thread', id: 'imessage:t', sourceId: 't', channel: 'imessage', name: 'Sarah', agentId: 'main', createdAt: 0, updatedAt: 0 },
      ...Object.entries(texts).map(([id, content], i) => ({
        ...({
          type: 'event',
          id: `imessage:${id}`,
          sourceId: id,
          channel: 'imessage',
          contentTypes: ['text'],
          content,
          direction: 'received',
        } as const),
        ...({ timestamp: at('2026-01-15') + i * 1000, thread: 'imessage:t', trust: 'contact', agentId: 'main' } as const),
        people: [{ role: 'from' as const, handle: 'sarah@example.com', name: 'Sarah' }],
      })),
    ]),
  )
  await updateEpisodes(store, { guard: async () => {}, clock: () => NOON })
  await seedEntities(store, [
    { id: TYLER, name: 'Tyler Brandt', aliases: [['email', 'tyler@example.com']] },
    { id: TY, name: 'Ty', canonical: TYLER },
    { id: SARAH, name: 'Sarah' },
    { id: ANTHROPIC, name: 'Anthropic', type: 'company' },
    { id: GOOGLE, name: 'Google', type: 'company' },
    { id: NEXUS, name: 'Nexus', type: 'project' },
  ])
  await seedObservations(store, [
    said('a', TYLER, 'WORKS_AT', { object: ANTHROPIC }, 'Tyler works at Anthropic', '2026-01-15'),
    said('b', TY, 'WORKS_AT', { object: GOOGLE }, 'Tyler used to work at Google', '2026-02-01'),
    said('c', TYLER, 'KNOWS', { object: SARAH }, 'Tyler and Sarah know each other', '2026-01-16'),
    said('d', SARAH, 'BUILDING', { object: NEXUS }, 'Sarah is building Nexus', '2026-01-17'),
    said('e', TYLER, 'PREFERS', { literal: 'purple' }, "Tyler's favorite color is purple", '2026-01-10'),
    said('f', TYLER, 'PREFERS', { literal: 'blue' }, "Tyler's favorite color is blue", '2026-02-02'),
    { ...said('g', TYLER, 'LIVES_IN', { literal: 'Sydney' }, 'Tyler lived in Sydney since 2019', '2026-02-04'), validAt: at('2019-01-01') },
    { ...said('z', TYLER, 'KNOWS', { object: GOOGLE }, 'of another persona', '2026-01-01'), agent: 'other' },
  ])
  return store
}

function told({ current, former, uncertain }: Synthesis): string[] {
  const lines = { current, former, uncertain }
  return Object.entries(lines).flatMap(([status, list]) =>
    list.map(({ subject, type, object, literal }) => `${status}: ${subject.name} ${type} ${object?.name ?? literal}`),
  )
}

describe('synthesize', () => {
  it('says what holds, what held, with the words that say it, over merged entities', async () => {
    const store = await graph()
    const found = await synthesize(store, TYLER, OPTIONS)
    expect(told(found)).toEqual([
      'current: Tyler Brandt KNOWS Sarah',
      'current: Tyler Brandt LIVES_IN Sydney',
      'current: Tyler Brandt PREFERS blue',
      'current: Tyler Brandt WORKS_AT Anthropic',
      'former: Tyler Brandt PREFERS purple',
      'former: Tyler Brandt WORKS_AT Google',
    ])
    expect(found.former.find(({ literal }) => literal === 'purple')).toMatchObject({ why: 'replaced', replaced_by: 'blue' })
    const [works] = found.current.filter(({ type }) => type === 'WORKS_AT')
    expect(works?.observations).toMatchObject([
      { message_id: 'imessage:a', span: [0, 24], id: expect.stringMatching(/^e:/), channel: 'imessage' },
    ])
  })

  it('of a company it says who works there, and who no longer does', async () => {
    const store = await graph()
    expect(told(await synthesize(store, GOOGLE, OPTIONS))).toEqual(['former: Tyler Brandt WORKS_AT Google'])
    await seedObservations(store, [said('h', TYLER, 'WORKS_AT', { object: GOOGLE }, 'Tyler works at Google again', '2026-02-05')])
    expect(told(await synthesize(store, ANTHROPIC, OPTIONS))).toEqual(['former: Tyler Brandt WORKS_AT Anthropic'])
  })

  it('as of a day: what was true then by what had been said, and what was learned of it later', async () => {
    const store = await graph()
    const then = await synthesize(store, TYLER, { ...OPTIONS, asOf: at('2026-01-20') })
    expect(told(then)).toEqual([
      'current: Tyler Brandt KNOWS Sarah',
      'current: Tyler Brandt LIVES_IN Sydney',
      'current: Tyler Brandt PREFERS purple',
      'current: Tyler Brandt WORKS_AT Anthropic',
    ])
    expect(then.current.find(({ type }) => type === 'LIVES_IN')?.observations[0]?.learned_later).toBe(true)
    expect(then.current.find(({ type }) => type === 'WORKS_AT')?.observations[0]?.learned_later).toBe(false)
    expect(told(await synthesize(store, TYLER, { ...OPTIONS, asOf: at('2018-01-01') }))).toEqual([])
  })

  it('keeps personas apart, and secrets in', async () => {
    const store = await graph()
    await seedObservations(store, [said('s', TYLER, 'HAS_NOTE', { literal: TOKEN }, `the key is ${TOKEN}`, '2026-02-01')])
    expect(JSON.stringify(await synthesize(store, TYLER, OPTIONS))).not.toContain(TOKEN)
    expect(told(await synthesize(store, TYLER, { ...OPTIONS, agentId: 'other' }))).toEqual(['current: Tyler Brandt KNOWS Google'])
  })
})

describe('finding', () => {
  it('by name, alias, other case, first name, id, and through a merge', async () => {
    const store = await graph()
    for (const name of ['Tyler Brandt', 'tyler brandt', 'TYLER@example.com', 'tyler', 'Ty', TYLER.slice(0, 8)])
      expect((await entityCalled({ db: store.read }, name, OPTIONS)).entity_id, name).toBe(TYLER)
  })

  it('a typing error is a hint, not an answer; two of one name are not guessed between', async () => {
    const store = await graph()
    expect((await findEntities({ db: store.read }, 'Anthropik', OPTIONS)).map(({ name, by }) => [name, by])).toEqual([
      ['Anthropic', 'near'],
    ])
    await expect(entityCalled({ db: store.read }, 'Anthropik', OPTIONS)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('Anthropic'),
    })
    await seedEntities(store, [{ id: seedId('other sarah'), name: 'Sarah' }])
    await expect(entityCalled({ db: store.read }, 'Sarah', OPTIONS)).rejects.toMatchObject({ code: 'AMBIGUOUS_ID' })
    await expect(entityCalled({ db: store.read }, 'Sarah', { agentId: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('walking', () => {
  it('goes to neighbours, by type and depth, and finds the way between two', async () => {
    const store = await graph()
    const near = await neighboursOf(store, TYLER, { agentId: 'main' })
    expect(near.map(({ name, distance }) => [name, distance]).sort()).toEqual([
      ['Anthropic', 1],
      ['Google', 1],
      ['Sarah', 1],
    ])
    expect((await neighboursOf(store, TYLER, { agentId: 'main', types: ['KNOWS'], depth: 2 })).map(({ name }) => name)).toEqual(['Sarah'])
    expect((await neighboursOf(store, TYLER, { agentId: 'main', depth: 2 })).map(({ name }) => name)).toContain('Nexus')
    const way = await pathBetween(store, ANTHROPIC, NEXUS, { agentId: 'main' })
    expect(way?.map(({ subject, type, object }) => `${subject.name} ${type} ${object.name}`)).toEqual([
      'Tyler Brandt WORKS_AT Anthropic',
      'Tyler Brandt KNOWS Sarah',
      'Sarah BUILDING Nexus',
    ])
    expect(await pathBetween(store, ANTHROPIC, NEXUS, { agentId: 'main', depth: 2 })).toBeUndefined()
  })
})

describe('provenance', () => {
  it('leads from an entity to the messages that name it, and back', async () => {
    const store = await graph()
    const [episode] = await store.read.selectFrom('episodes').select('id').execute()
    await seedMentions(store, [{ episode: episode?.id ?? '', entity: TY, message: 'imessage:b' }])
    const naming = await episodesNaming(store, TYLER, { agentId: 'main' })
    expect(naming).toMatchObject([{ episode_id: episode?.id, mentions: [{ message_id: 'imessage:b', span: [0, 1] }] }])
    const back = await saidIn(store, ['imessage:b'], 'main')
    expect(back.entities.map(({ name }) => name)).toEqual(['Tyler Brandt'])
    expect(back.observations).toMatchObject([
      { relationship_id: 'b', subject: { entity_id: TYLER }, type: 'WORKS_AT', object: { name: 'Google' } },
    ])
    expect(await saidIn(store, ['imessage:b'], 'other')).toEqual({ entities: [], observations: [] })
  })
})
