import { expect, it } from 'vitest'
import { entityId, OWNER_KEY } from './entity-key.ts'
import { ownerEntityId } from './owner-entity.ts'

it('is the id that the owner has in the graph', () => {
  for (const agent of ['main', 'nexus']) expect(ownerEntityId(agent)).toBe(entityId(agent, 'person', OWNER_KEY))
})
