import { expect, it } from 'vitest'
import { tempStore } from '../../test/helpers/store.ts'
import { listEntities } from './list-entities.ts'

const AT = Date.UTC(2026, 1, 5)
const row = (id: string, type: string, name: string) => ({
  ...{ id, type, name, agent_id: 'main', key: `path:${name}` },
  ...{ trust: 'owner' as const, created_at: AT, updated_at: AT },
})

it('a file that nobody names twice is left out of the list of all, and counted; asked for, it is there', async () => {
  const store = await tempStore()
  await store.write((tx) =>
    tx.db
      .insertInto('entities')
      .values([row('a', 'document', 'src/tides.ts'), row('b', 'person', 'Ada')])
      .execute(),
  )
  const all = await listEntities(store, {}, 'main')
  expect(all).toMatchObject({ entities: [{ id: 'b' }], total: 1, left_out: 1 })
  const files = await listEntities(store, { type: 'document' }, 'main')
  expect(files).toMatchObject({ entities: [{ id: 'a', known_by: 'path:src/tides.ts' }], total: 1, left_out: 0 })
})
