import { expect, it } from 'vitest'
import { episodeOf, found, from, graphTables, named, observed, runOf, type Told, tell } from '../../test/helpers/graph-story.ts'
import { tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { aliasEntity, type DecideOptions, mergeEntities } from './decide.ts'
import { retypeEntity, splitEntity, splitPlaces, unsplitEntity } from './decide-kind.ts'
import { findEntity } from './find-entity.ts'
import { listEntities } from './list-entities.ts'
import { settle } from './settle.ts'
import { writeExtracted } from './write-extracted.ts'

const options: DecideOptions = { agentId: 'main', now: Date.UTC(2026, 2, 1) }

interface Line {
  readonly id: string
  readonly says: string
  readonly who: string
  readonly type?: string
  readonly qualifier?: string | undefined
  readonly relation: string
  readonly value: string
  readonly valueType?: string
}

async function write(store: Store, { id, says, who, type, qualifier, relation, value, valueType }: Line): Promise<void> {
  const told: Told = { id, channel: 'claude-code', trust: 'owner', says }
  const person = { ...named(told, who, type), qualifier }
  const object = valueType === undefined ? undefined : named(told, value, valueType)
  await store.write(async (tx) => {
    const runId = await runOf(tx, await tell(tx, told))
    const graph = found([person, ...(object === undefined ? [] : [object])], [observed(told, person, relation, object ?? value)])
    await writeExtracted(tx, from(told, { runId }), graph)
  })
}

const line = (id: string, says: string, who: string, relation: string, value: string, more: Partial<Line> = {}): Line => ({
  ...{ id, says, who, relation, value, ...more },
})
const told = (id: string, qualifier: string | undefined, says: string) =>
  line(id, says, 'Sarah', 'LIVES_IN', says.split(' ').at(-1) ?? '', { qualifier, valueType: 'location' })

async function people(store: Store, name: string): Promise<string[]> {
  const { entities } = await listEntities(store, { name }, 'main')
  return entities.map(({ type, known_by, observations }) => `${type} ${known_by} ${observations}`).sort()
}

it('a sister, a colleague and a boss of one first name are three, each a candidate; the order of import does not show', async () => {
  const lines = [
    told('a', 'sibling', 'My sister Sarah lives in Lisbon'),
    told('b', 'colleague', 'My coworker Sarah lives in Porto'),
    told('c', 'manager', 'My boss Sarah lives in Faro'),
    told('d', undefined, 'Sarah lives in Evora'),
  ]
  const [one, other] = [await tempStore(), await tempStore()]
  for (const each of lines) await write(one, each)
  for (const each of lines.toReversed()) await write(other, each)
  expect(await people(one, 'Sarah')).toEqual([
    'person name:sarah (colleague) 1',
    'person name:sarah (manager) 1',
    'person name:sarah (sibling) 1',
    'person name:sarah 1',
  ])
  expect(await graphTables(other)).toEqual(await graphTables(one))
  const { candidates } = await graphTables(one)
  expect(candidates.map(({ status }) => status)).toEqual(Array(6).fill('proposed'))
  const { id } = await findEntity({ db: one.read }, 'my sister Sarah', options)
  expect((await findEntity({ db: one.read }, 'Sarah (sibling)', options)).id).toBe(id)
  await expect(findEntity({ db: one.read }, 'Sarah', options)).rejects.toThrow('fits 4 entities')
  await expect(findEntity({ db: one.read }, 'Sarah', options)).rejects.toMatchObject({
    hint: expect.stringContaining('(Sarah, person, sibling)'),
  })
})

it('a first name alone means the only one of that name, until there is another one, and again when that one is gone', async () => {
  const store = await tempStore()
  await write(store, told('a', 'sibling', 'My sister Sarah lives in Lisbon'))
  await write(store, told('d', undefined, 'Sarah lives in Evora'))
  expect(await people(store, 'Sarah')).toEqual(['person name:sarah (sibling) 2'])
  await write(store, told('b', 'colleague', 'My coworker Sarah lives in Porto'))
  expect(await people(store, 'Sarah')).toHaveLength(3)
  await store.write(async (tx) => {
    await tx.db.deleteFrom('events').where('id', '=', 'claude-code:b').execute()
    await settle(tx)
  })
  expect(await people(store, 'Sarah')).toEqual(['person name:sarah (sibling) 2'])
})

it('what the owner splits off stays with its part when the graph is made again, and taken back it is as before', async () => {
  const store = await tempStore()
  const lines = [
    told('a', undefined, 'Sarah lives in Lisbon'),
    told('b', undefined, 'Sarah lives in Porto'),
    told('c', undefined, 'Sarah lives in Faro'),
  ]
  for (const each of lines) await write(store, each)
  const before = await graphTables(store)
  const { places } = await splitPlaces({ db: store.read }, 'Sarah', options)
  expect(places.map(({ fact }) => fact).sort()).toEqual(lines.map(({ says }) => says).sort())
  const take = places.filter(({ fact }) => fact.includes('Porto')).map(({ relationship_id }) => relationship_id)
  const { part, taken } = await store.write((tx) => splitEntity(tx, { entity: 'Sarah', take }, options))
  expect(taken).toBe(1)
  expect(await people(store, 'Sarah')).toEqual(['person name:sarah 2', expect.stringMatching(/^person name:split-[0-9a-f]{8} 1$/)])
  const split = await graphTables(store)
  for (const each of lines.toReversed()) await write(store, each)
  expect(await graphTables(store)).toEqual(split)
  await store.write((tx) => tx.db.deleteFrom('relationships').execute())
  for (const each of lines) await write(store, each)
  expect((await graphTables(store)).observations).toEqual(split.observations)
  await store.write((tx) => unsplitEntity(tx, part.id, options))
  const after = await graphTables(store)
  expect([after.entities, after.observations, after.mentions, after.aliases]).toEqual([
    before.entities,
    before.observations,
    before.mentions,
    before.aliases,
  ])
})

it('refuses to split off nothing, everything, and what is not said of it', async () => {
  const store = await tempStore()
  await write(store, told('a', undefined, 'Sarah lives in Lisbon'))
  const { places } = await splitPlaces({ db: store.read }, 'Sarah', options)
  const all = places.map(({ relationship_id }) => relationship_id)
  const split = (take: readonly string[]) => store.write((tx) => splitEntity(tx, { entity: 'Sarah', take }, options))
  await expect(split([])).rejects.toThrow('nothing was chosen')
  await expect(split(all)).rejects.toThrow('all that is known')
  await expect(split(['00000000'])).rejects.toThrow('no observation of')
})

it('a dog and a person of one name are a candidate; retyped, the two are one, and retyped again two', async () => {
  const store = await tempStore()
  await write(store, line('a', 'My dog Luna is ill', 'Luna', 'HAS_STATUS', 'ill', { type: 'pet' }))
  await write(store, line('b', 'Luna needs pills', 'Luna', 'NEEDS', 'pills'))
  const [candidate] = (await graphTables(store)).candidates
  expect([candidate?.status, candidate?.auto_eligible]).toEqual(['proposed', 0])
  const person = await findEntity({ db: store.read }, 'Luna', { ...options, type: 'person' })
  await store.write((tx) => retypeEntity(tx, { entity: person.id, type: 'pet' }, options))
  expect(await people(store, 'Luna')).toEqual(['pet name:luna 2'])
  await write(store, line('c', 'Luna likes fish', 'Luna', 'LIKES', 'fish'))
  expect(await people(store, 'Luna')).toEqual(['pet name:luna 3'])
  await store.write((tx) => retypeEntity(tx, { entity: person.id, type: 'person' }, { ...options, now: options.now + 1 }))
  expect(await people(store, 'Luna')).toEqual(['person name:luna 2', 'pet name:luna 1'])
  await expect(store.write((tx) => retypeEntity(tx, { entity: person.id, type: 'ghost' }, options))).rejects.toThrow('ghost')
})

it('an event of the owner that is gone is undone', async () => {
  const store = await tempStore()
  await write(store, line('a', 'Luna needs pills', 'Luna', 'NEEDS', 'pills'))
  await store.write((tx) => retypeEntity(tx, { entity: 'Luna', type: 'pet' }, options))
  expect(await people(store, 'Luna')).toEqual(['pet name:luna 1'])
  await store.write((tx) => tx.db.deleteFrom('events').where('source_adapter', '=', 'owner').execute())
  expect(await people(store, 'Luna')).toEqual(['person name:luna 1'])
})

it('two of different types are merged only where one is easily taken for the other', async () => {
  const store = await tempStore()
  await write(store, line('a', 'Luna lives in Lund', 'Luna', 'LIVES_IN', 'Lund', { type: 'pet', valueType: 'location' }))
  await write(store, line('b', 'Luna needs pills', 'Luna', 'NEEDS', 'pills'))
  const luna = (type: string) => findEntity({ db: store.read }, 'Luna', { ...options, type })
  const merged = await store.write(async (tx) =>
    mergeEntities(tx, { from: (await luna('person')).id, into: (await luna('pet')).id }, options),
  )
  expect(merged.into.type).toBe('pet')
  const lund = await findEntity({ db: store.read }, 'Lund', options)
  const into = (await luna('pet')).id
  await expect(store.write((tx) => mergeEntities(tx, { from: lund.id, into }, options))).rejects.toThrow('is a location')
})

it('short names of places are those places; a longer name of a place is a candidate', async () => {
  const store = await tempStore()
  await write(store, told('a', undefined, 'Sarah lives in NYC'))
  await write(store, line('b', 'Sarah lives in New York City', 'Sarah', 'LIVES_IN', 'New York City', { valueType: 'location' }))
  await write(store, line('c', 'Sarah lives in New York', 'Sarah', 'LIVES_IN', 'New York', { valueType: 'location' }))
  const { entities, candidates } = await graphTables(store)
  expect(
    entities
      .filter(({ type }) => type === 'location')
      .map(({ key }) => key)
      .sort(),
  ).toEqual(['name:new york', 'name:new york city'])
  expect(candidates.map(({ status }) => status)).toEqual(['proposed'])
  expect((await findEntity({ db: store.read }, 'nyc', options)).key).toBe('name:new york city')
})

it('a handle is called as the address book calls it, and Mom is the only one whom it calls so', async () => {
  const store = await tempStore()
  const chat: Told = { id: 'chat', says: 'See you', from: ['+14155550112', null] }
  await store.write(async (tx) => {
    const runId = await runOf(tx, await tell(tx, chat))
    const mentions = [{ message: 'imessage:chat', start: 0, end: 0 }]
    const handle = { type: 'phone', value: '+14155550112', from: 'header' } as const
    const entity = { ref: 'h', type: 'person', name: '+14155550112', aliases: [handle], mentions, confidence: 1 }
    await writeExtracted(tx, from(chat, { runId, episode: episodeOf(chat) }), found([entity]))
  })
  await write(store, line('b', 'Mom likes figs', 'Mom', 'LIKES', 'figs'))
  const card = (name: string, handle: string) => ({ handle, unit: '/book.vcf', name, card: `${name} ${handle}` })
  const put = (name: string, handle: string) =>
    store.write(async (tx) => {
      await tx.db.insertInto('contacts').values(card(name, handle)).execute()
      await settle(tx)
    })
  await put('Mom', '+14155550112')
  expect(await people(store, 'Mom')).toEqual(['person phone:+14155550112 1'])
  expect((await findEntity({ db: store.read }, '+1 415 555 0112', options)).name).toBe('Mom')
  await store.write(async (tx) => {
    await tx.db.deleteFrom('contacts').execute()
    await settle(tx)
  })
  expect(await people(store, 'Mom')).toEqual(['person name:mom 1'])
  const { aliases } = await graphTables(store)
  expect(aliases.filter(({ value }) => value === 'Mom').map(({ run_id }) => run_id)).toEqual(['run-entity_extraction-episode-b'])
})

it.each([
  ['mom@mail.example', 'email', 'mom@mail.example'],
  ['+1 (415) 555-0112', 'phone', '+14155550112'],
  ['@linda.o', 'handle', 'linda.o'],
  ['Linda Ortega', 'name', 'linda ortega'],
  ['Agent 47', 'name', 'agent 47'],
])('an alias is what it looks like: %s', async (value, type, normalized) => {
  const store = await tempStore()
  await write(store, line('b', 'Mom likes figs', 'Mom', 'LIKES', 'figs'))
  await store.write((tx) => aliasEntity(tx, { entity: 'Mom', value }, options))
  const { aliases } = await graphTables(store)
  expect(aliases.filter(({ given_by }) => given_by === 'owner').map((one) => [one.alias_type, one.normalized])).toEqual([
    [type, normalized],
  ])
})
