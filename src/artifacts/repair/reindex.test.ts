import { expect, it } from 'vitest'
import { artifactsOf, DAY, seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'

it('re-indexing for one persona leaves the rows of another alone', async () => {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, [
    { name: 'a', at: NOON - 3 * DAY },
    { name: 'b', at: NOON - 2 * DAY, agentId: 'ops' },
  ])
  await artifactsOf(store, workspace).publish()
  await artifactsOf(store, workspace, { agentId: 'ops' }).publish()
  const rows = () => store.read.selectFrom('artifacts').selectAll().orderBy('source_path').execute()
  const before = await rows()
  expect(new Set(before.map(({ agent_id }) => agent_id))).toEqual(new Set(['main', 'ops']))
  expect(await artifactsOf(store, workspace).reindex()).toMatchObject({ repaired: 0, removed: 0 })
  expect(await rows()).toEqual(before)
})
