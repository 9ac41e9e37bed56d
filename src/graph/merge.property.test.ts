import { expect, it } from 'vitest'
import { found, from, graphTables, named, observed, peopleOf, runOf, type Told, tell } from '../../test/helpers/graph-story.ts'
import { NOON, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { aliasEntity, type DecideOptions, mergeEntities, rejectCandidate, removeAlias, unmergeEntity } from './decide.ts'
import { settle } from './settle.ts'
import { writeExtracted } from './write-extracted.ts'

function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

const HANDLES = ['sarah@example.com', 'sarah.chen@work.example', '+14155552671', '+14155552672', 'mike@example.com', 'michael@work.example']
const NAMES = ['Sarah Chen', 'Sarah', 'S. Chen', 'Michael Brown', 'Mike Brown', null]
const SAID = ['Sarah Chen', 'Sarah', 'Mike Brown', 'Tyler', 'Anna Smith']

function world(random: (below: number) => number, size: number): Told[] {
  return Array.from({ length: size }, (_, n) => {
    const person = (): readonly [string, string | null] => [HANDLES[random(HANDLES.length)] ?? '', NAMES[random(NAMES.length)] ?? null]
    const told = SAID[random(SAID.length)] ?? ''
    return {
      ...{
        id: `w${n}`,
        at: n,
        from: person(),
        to: [person()],
        trust: (['owner', 'contact', 'untrusted'] as const)[random(3)] ?? 'contact',
      },
      ...{ channel: random(2) === 0 ? 'imessage' : 'gmail', says: `${told} works at Acme.` },
    }
  })
}

async function write(store: Store, told: Told, autoMerge: boolean): Promise<void> {
  const who = SAID.find((name) => told.says.startsWith(`${name} works`)) ?? ''
  const [person, acme] = [named(told, who), named(told, 'Acme', 'company')]
  await store.write(async (tx) => {
    const episode = await tell(tx, told)
    await writeExtracted(
      tx,
      from(told, { runId: await runOf(tx, episode), autoMerge }),
      found([...uniquePeople(told), person, acme], [observed(told, person, 'WORKS_AT', acme)]),
    )
  })
}

function uniquePeople(told: Told) {
  return [...new Map(peopleOf(told).map((one) => [one.ref, one])).values()]
}

async function putCards(store: Store): Promise<void> {
  await store.write((tx) =>
    tx.db
      .insertInto('contacts')
      .values([
        { handle: 'sarah@example.com', unit: '/book.vcf', name: 'Sarah Chen', card: 'one' },
        { handle: '+14155552671', unit: '/book.vcf', name: 'Sarah Chen', card: 'one' },
      ])
      .execute(),
  )
}

const options: DecideOptions = { agentId: 'main', now: NOON }

it.each([1, 2, 3, 4, 5, 6])('merges and unmerges at random leave every table of the graph as it was (seed %i)', async (seed) => {
  const random = numbers(seed)
  const store = await tempStore()
  const autoMerge = seed % 2 === 0
  for (const told of world(random, 12)) await write(store, told, autoMerge)
  await putCards(store)
  await store.write((tx) => settle(tx, { autoMerge }))
  const first = await graphTables(store)
  const done: string[] = []
  let merges = 0
  for (let step = 0; step < 30; step++) {
    const entities = await store.read.selectFrom('entities').select(['id', 'type', 'canonical_id']).orderBy('id').execute()
    const roots = entities.filter(({ canonical_id, type }) => canonical_id === null && type === 'person')
    const [one, other] = [roots[random(roots.length)], roots[random(roots.length)]]
    if (random(3) > 0 && one !== undefined && other !== undefined && one.id !== other.id) {
      await store.write((tx) => mergeEntities(tx, { from: one.id, into: other.id }, { ...options, autoMerge }))
      done.push(one.id)
      merges++
    } else if (done.length > 0) {
      const [id] = done.splice(random(done.length), 1)
      await store.write((tx) => unmergeEntity(tx, id ?? '', { ...options, autoMerge }))
    }
  }
  expect(merges).toBeGreaterThan(5)
  while (done.length > 0) {
    const [id] = done.splice(random(done.length), 1)
    await store.write((tx) => unmergeEntity(tx, id ?? '', { ...options, autoMerge }))
  }
  expect(await graphTables(store)).toEqual(first)
})

it.each([11, 12, 13, 14])('the same history in any order gives the same graph (seed %i)', async (seed) => {
  const random = numbers(seed)
  const told = world(random, 14)
  const autoMerge = seed % 2 === 0
  const one = await tempStore()
  await putCards(one)
  for (const each of told) await write(one, each, autoMerge)
  const other = await tempStore()
  const shuffled = [...told]
  for (let at = shuffled.length - 1; at > 0; at--) {
    const with_ = random(at + 1)
    ;[shuffled[at], shuffled[with_]] = [shuffled[with_] as Told, shuffled[at] as Told]
  }
  for (const each of shuffled) await write(other, each, autoMerge)
  await putCards(other)
  await other.write((tx) => settle(tx, { autoMerge }))
  expect(await graphTables(other)).toEqual(await graphTables(one))
  expect((await graphTables(one)).candidates.length).toBeGreaterThan(0)
})

it.each([21, 22])('a graph that is thrown away and made again is what the owner decided it to be (seed %i)', async (seed) => {
  const random = numbers(seed)
  const told = world(random, 12)
  const store = await tempStore()
  for (const each of told) await write(store, each, false)
  const roots = await store.read.selectFrom('entities').select('id').where('type', '=', 'person').orderBy('id').execute()
  const [a = '', b = '', c = '', d = ''] = roots.map(({ id }) => id)
  await store.write(async (tx) => {
    await mergeEntities(tx, { from: a, into: b }, options)
    await mergeEntities(tx, { from: b, into: c }, options)
    await rejectCandidate(tx, { one: d, other: a }, options)
    await aliasEntity(tx, { entity: c, value: 'The Boss', type: 'name' }, options)
    await aliasEntity(tx, { entity: d, value: 'Nobody', type: 'name' }, options)
    await removeAlias(tx, { entity: d, value: 'Nobody' }, options)
  })
  const before = await graphTables(store)
  expect(before.entities.find(({ id }) => id === c)?.name).toBe('The Boss')
  expect(before.entities.find(({ id }) => id === d)?.name).not.toBe('Nobody')
  const runs = await store.read.selectFrom('analysis_runs').selectAll().execute()
  await store.write((tx) => tx.db.deleteFrom('analysis_runs').execute())
  expect((await graphTables(store)).entities).toEqual([])
  for (const each of [...told].reverse()) {
    const who = SAID.find((name) => each.says.startsWith(`${name} works`)) ?? ''
    const [person, acme] = [named(each, who), named(each, 'Acme', 'company')]
    await store.write(async (tx) => {
      await tx.db
        .insertInto('analysis_runs')
        .values(runs.filter(({ id }) => id.endsWith(`-${each.id}`)))
        .execute()
      await writeExtracted(tx, from(each), found([...uniquePeople(each), person, acme], [observed(each, person, 'WORKS_AT', acme)]))
    })
  }
  expect(await graphTables(store)).toEqual(before)
})
