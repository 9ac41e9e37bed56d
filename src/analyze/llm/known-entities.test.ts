import { expect, it } from 'vitest'
import { seedThread } from '../../../test/helpers/seed-events.ts'
import { seedEntities, seedId, seedObservations } from '../../../test/helpers/seed-graph.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { knownEntities, type PersonalFacts } from './known-entities.ts'

it('what only messages say of somebody stands beside a text as the owner lets it', async () => {
  const store = await tempStore()
  await seedThread(store, { channel: 'imessage', id: 'chat', episodes: [[{ sourceId: 'one', content: 'Zelda moves to Lisbon.' }]] })
  const zelda = seedId('zelda')
  await seedEntities(store, [{ id: zelda, name: 'Zelda' }])
  await seedObservations(store, [
    { id: seedId('a'), subject: zelda, type: 'MOVING_TO', literal: 'Lisbon', fact: 'x', saidAt: NOON, message: 'imessage:one' },
    { id: seedId('b'), subject: zelda, type: 'WORKS_AT', literal: 'Acme', fact: 'x', saidAt: NOON - 1, message: 'claude-code:s/m' },
  ])
  const factsWith = async (text: string, personal?: PersonalFacts) =>
    (await knownEntities(store.read, { agentId: 'main', threads: [], texts: [text], now: NOON, personal })).entities.map(
      ({ facts }) => facts,
    )
  expect(await factsWith('Lunch with Zelda.')).toEqual([['MOVING_TO Lisbon', 'WORKS_AT Acme']])
  expect(await factsWith('Lunch with Zelda.', 'named')).toEqual([['MOVING_TO Lisbon', 'WORKS_AT Acme']])
  expect(await factsWith('Lunch with Zelda.', 'never')).toEqual([['WORKS_AT Acme']])
  await store.write(({ db }) =>
    db.updateTable('entity_aliases').set({ message_id: 'imessage:one' }).where('entity_id', '=', zelda).execute(),
  )
  expect(await factsWith('Lunch with Zelda.', 'never')).toEqual([])
})
