import { expect, it } from 'vitest'
import { found, from, graphTables, named, observed, peopleOf, runOf, type Told, tell } from '../../test/helpers/graph-story.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import { addTombstones } from '../tombstones/write-tombstones.ts'
import type { Extracted } from './extracted.ts'
import { writeExtracted } from './write-extracted.ts'

const SARAH: Told = {
  ...{ id: 'm1', from: ['sarah@example.com', 'Sarah Chen'], to: [['me@example.com', 'Me']] },
  says: 'Tyler works at Anthropic, and Tyler likes purple.',
}
const LATER: Told = { id: 'm2', at: 5, from: ['sarah@example.com', 'Sarah'], says: 'Sarah Chen here. Tyler prefers blue.' }

const tyler = named(SARAH, 'Tyler')
const anthropic = named(SARAH, 'Anthropic', 'company')
const FOUND = found(
  [...peopleOf(SARAH), tyler, anthropic],
  [
    observed(SARAH, tyler, 'WORKS_AT', anthropic, 'Tyler works at Anthropic'),
    observed(SARAH, tyler, 'PREFERS', 'purple', 'Tyler likes purple'),
  ],
)

async function write(store: Store, told: Told, extracted: Extracted) {
  return store.write(async (tx) => {
    const there = await tx.db.selectFrom('episodes').select('id').where('id', '=', `episode-${told.id}`).executeTakeFirst()
    if (there === undefined) await runOf(tx, await tell(tx, told))
    return writeExtracted(tx, from(told), extracted)
  })
}

it('what is said becomes entities, aliases, mentions and observations, each with its message, span, time and trust', async () => {
  const store = await tempStore()
  const { entities } = await write(store, SARAH, FOUND)
  const tables = await graphTables(store)
  const sarah = tables.entities.find(({ id }) => id === entities.get('handle:sarah@example.com'))
  expect(sarah).toMatchObject({ type: 'person', name: 'Sarah Chen', key: 'email:sarah@example.com', created_at: NOON, trust: 'contact' })
  expect(
    tables.aliases
      .filter(({ entity_id }) => entity_id === sarah?.id)
      .map(({ alias_type, normalized, given_by }) => [alias_type, normalized, given_by])
      .sort(),
  ).toEqual([
    ['email', 'sarah@example.com', 'header'],
    ['name', 'sarah chen', 'header'],
  ])
  const [works] = tables.observations.filter(({ type }) => type === 'WORKS_AT')
  expect(works).toMatchObject({
    ...{ subject_id: entities.get('person:Tyler'), object_id: entities.get('company:Anthropic'), target_literal: null },
    ...{ message_id: 'imessage:m1', span_start: 0, span_end: 24, created_at: NOON, trust: 'contact', source_type: 'stated' },
  })
  expect(tables.observations.find(({ type }) => type === 'PREFERS')).toMatchObject({ target_literal: 'purple', object_id: null })
  expect(tables.mentions.find(({ entity_id }) => entity_id === entities.get('person:Tyler'))).toMatchObject({
    span_start: 0,
    span_end: 5,
    mention_count: 1,
  })
  expect(tables.relationshipMentions).toHaveLength(2)
})

it('the same run again changes nothing; with other findings it replaces exactly its own', async () => {
  const store = await tempStore()
  await write(store, SARAH, FOUND)
  const blue = named(LATER, 'Tyler')
  await write(store, LATER, found([...peopleOf(LATER), blue], [observed(LATER, blue, 'PREFERS', 'blue', 'Tyler prefers blue')]))
  const before = await graphTables(store)
  await write(store, SARAH, FOUND)
  expect(await graphTables(store)).toEqual(before)
  await write(store, SARAH, found([tyler], [observed(SARAH, tyler, 'PREFERS', 'violet', 'Tyler likes purple')]))
  const after = await graphTables(store)
  expect(after.observations.map(({ target_literal }) => target_literal).sort()).toEqual(['blue', 'violet'])
  expect(after.entities.map(({ name }) => name).sort()).toEqual(['Sarah', 'Tyler'])
  await write(store, SARAH, FOUND)
  expect(await graphTables(store)).toEqual(before)
})

it('a message that goes or changes takes along what it says; an entity goes with its last alias', async () => {
  const store = await tempStore()
  await write(store, SARAH, FOUND)
  await write(store, LATER, found(peopleOf(LATER)))
  await store.write((tx) => tx.db.updateTable('events').set({ content: 'Never mind.' }).where('id', '=', 'imessage:m1').execute())
  const changed = await graphTables(store)
  expect(changed.entities.map(({ name }) => name)).toEqual(['Sarah'])
  expect([changed.observations, changed.relationshipMentions]).toEqual([[], []])
  await store.write((tx) => tx.db.deleteFrom('events').where('id', '=', 'imessage:m2').execute())
  expect(Object.values(await graphTables(store)).flat()).toEqual([])
})

it('of an entity that others still name, only what the message said goes', async () => {
  const store = await tempStore()
  await write(store, SARAH, FOUND)
  const again = named(LATER, 'Tyler')
  await write(store, LATER, found([...peopleOf(LATER), again], [observed(LATER, again, 'PREFERS', 'blue', 'Tyler prefers blue')]))
  await store.write((tx) => tx.db.deleteFrom('events').where('id', '=', 'imessage:m1').execute())
  const { entities, observations } = await graphTables(store)
  expect(entities.map(({ name }) => name).sort()).toEqual(['Sarah', 'Tyler'])
  expect(observations.map(({ target_literal }) => target_literal)).toEqual(['blue'])
})

it('what a run wrote goes with the run', async () => {
  const store = await tempStore()
  await write(store, SARAH, FOUND)
  await store.write((tx) => tx.db.deleteFrom('analysis_runs').execute())
  expect(Object.values(await graphTables(store)).flat()).toEqual([])
})

it('relations of identity become aliases, never observations', async () => {
  const store = await tempStore()
  const told: Told = { id: 'm3', trust: 'owner', says: 'Tyler is also called Ty, his number is +1 415 555 2671.' }
  const who = named(told, 'Tyler')
  await write(
    store,
    told,
    found([who], [observed(told, who, 'ALSO_KNOWN_AS', 'Ty'), observed(told, who, 'HAS_PHONE', '+1 (415) 555-2671')]),
  )
  const { aliases, observations } = await graphTables(store)
  expect(observations).toEqual([])
  expect(aliases.map(({ alias_type, normalized, given_by }) => `${alias_type} ${normalized} ${given_by}`).sort()).toEqual([
    'name ty text',
    'name tyler text',
    'phone +14155552671 text',
  ])
})

it.each([
  ['a type that is none', found([{ ...tyler, type: 'alien' }])],
  ['a relation in lower case', found([tyler], [{ ...observed(SARAH, tyler, 'WORKS_AT', 'x'), type: 'works at' }])],
  ['a span in no message', found([{ ...tyler, mentions: [{ message: 'imessage:zz', start: 0, end: 1 }] }])],
  ['a span that ends before it starts', found([{ ...tyler, mentions: [{ message: 'imessage:m1', start: 3, end: 1 }] }])],
  ['an entity that nothing mentions', found([{ ...tyler, mentions: [] }])],
  ['an observation of nobody', found([tyler], [{ ...observed(SARAH, tyler, 'KNOWS', 'x'), subject: 'person:nobody' }])],
  ['two of one ref', found([tyler, tyler])],
])('refused, and nothing is written: %s', async (_, extracted) => {
  const store = await tempStore()
  await expect(write(store, SARAH, extracted)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(Object.values(await graphTables(store)).flat()).toEqual([])
})

it('who was forgotten does not come back, nor what is said of them', async () => {
  const store = await tempStore()
  await store.write((tx) => addTombstones(tx, [{ kind: 'value', agentId: 'main', id: 'Tyler' }], { removedAt: NOON, reason: 'asked' }))
  expect((await tombstonesOf({ db: store.read }))?.holds('value', 'Tyler')).toBe(true)
  await write(store, SARAH, FOUND)
  const { entities, observations } = await graphTables(store)
  expect(entities.map(({ name }) => name).sort()).toEqual(['Anthropic', 'Me', 'Sarah Chen'])
  expect(observations).toEqual([])
})

it('an untrusted mail under the address of the owner says nothing of the owner: neither a fact nor a name', async () => {
  const store = await tempStore()
  const forged: Told = {
    ...{ id: 'm9', trust: 'untrusted', from: ['me@example.com', 'Sarah Chen'] },
    says: 'I live in Eviltown. My other address is eve@example.org.',
  }
  const [writer] = peopleOf(forged)
  const said = found(
    [...peopleOf(forged)],
    [
      observed(forged, writer as never, 'LIVES_IN', 'Eviltown', 'I live in Eviltown'),
      observed(forged, writer as never, 'HAS_EMAIL', 'eve@example.org', 'My other address is eve@example.org'),
    ],
  )
  await store.write(async (tx) => {
    await runOf(tx, await tell(tx, forged))
    return writeExtracted(tx, { ...from(forged), owner: { name: 'Me', handles: new Set(['me@example.com']) } }, said)
  })
  const tables = await graphTables(store)
  expect(tables.observations).toEqual([])
  expect(tables.aliases.map(({ normalized }) => normalized)).toEqual(['me@example.com'])
})

it('a card that names the number of somebody on another card joins nobody', async () => {
  const store = await tempStore()
  const book = (name: string, card: string, ...handles: string[]) => handles.map((handle) => ({ handle, unit: `/${card}.vcf`, name, card }))
  const cards = [
    ...book('Mom', 'one', '+14155550112', 'linda@example.com'),
    ...book('Prince Mal', 'two', '+14155550112', 'mal@example.org'),
  ]
  await store.write((tx) => tx.db.insertInto('contacts').values(cards).execute())
  for (const [id, handle] of [
    ['c1', '+14155550112'],
    ['c2', 'linda@example.com'],
    ['c3', 'mal@example.org'],
  ] as const) {
    const told: Told = { id, from: [handle, null], says: 'Hello.' }
    await store.write(async (tx) => {
      await runOf(tx, await tell(tx, told))
      return writeExtracted(tx, from(told, { autoMerge: true }), found(peopleOf(told)))
    })
  }
  expect((await graphTables(store)).entities.filter(({ canonical_id }) => canonical_id !== null)).toEqual([])
})
