import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { eventsWriter } from '../events-writer.ts'
import { namesOf } from './names-of.ts'

async function event(store: Store, id: string, people: readonly { handle: string; name?: string }[]): Promise<void> {
  await store.write((tx) =>
    eventsWriter({ adapter: 'gmail' }).apply(tx, [
      {
        ...{ type: 'event', id: `gmail:${id}`, sourceId: id, timestamp: NOON, channel: 'gmail', contentTypes: ['text'], content: id },
        ...{ direction: 'received', trust: 'contact', agentId: 'main' },
        people: people.map((person) => ({ role: 'to' as const, ...person })),
      },
    ]),
  )
}

it('the address book names first, then the name that events write most often', async () => {
  const store = await tempStore()
  await event(store, '1', [
    { handle: 'sarah@example.com', name: 'S. Chen' },
    { handle: 'bob@example.com', name: 'bob@example.com' },
  ])
  await event(store, '2', [{ handle: 'sarah@example.com', name: 'Sarah Chen' }, { handle: 'bob@example.com' }])
  await event(store, '3', [
    { handle: 'sarah@example.com', name: 'Sarah Chen' },
    { handle: '+14155552671', name: 'Mum (mobile)' },
  ])
  await store.write((tx) =>
    tx.db
      .insertInto('contacts')
      .values([
        { handle: '+14155552671', unit: '/b.vcf', name: 'Mother' },
        { handle: '+14155552671', unit: '/a.vcf', name: 'Mum' },
      ])
      .execute(),
  )
  const names = await namesOf(store.read, ['sarah@example.com', '+14155552671', 'bob@example.com', 'nobody@example.com'])
  expect([...names]).toEqual(
    expect.arrayContaining([
      ['sarah@example.com', 'Sarah Chen'],
      ['+14155552671', 'Mum'],
    ]),
  )
  expect(names.size).toBe(2)
})

it('of names that are as frequent the answer is always the same, and many handles may be asked for', async () => {
  const store = await tempStore()
  await event(store, '1', [{ handle: 'x@example.com', name: 'Zoe' }])
  await event(store, '2', [{ handle: 'x@example.com', name: 'Anna' }])
  const many = Array.from({ length: 1500 }, (_, n) => `n${n}@example.com`)
  expect([...(await namesOf(store.read, [...many, 'x@example.com']))]).toEqual([['x@example.com', 'Anna']])
  expect((await namesOf(store.read, [])).size).toBe(0)
})

it('an address in the place of a name is none: nobody is called what somebody else is reached by', async () => {
  const store = await tempStore()
  await event(store, '1', [
    { handle: 'evil@example.net', name: 'sarah@example.com' },
    { handle: 'worse@example.net', name: '"Sarah" <sarah@example.com>' },
    { handle: 'john@example.com', name: 'John (john@example.com)' },
    { handle: 'at@example.com', name: 'Max @ Work' },
  ])
  const names = await namesOf(store.read, ['evil@example.net', 'worse@example.net', 'john@example.com', 'at@example.com'])
  expect([...names].sort()).toEqual([
    ['at@example.com', 'Max @ Work'],
    ['john@example.com', 'John (john@example.com)'],
  ])
})
