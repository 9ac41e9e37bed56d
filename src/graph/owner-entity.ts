/** The id of the owner's entity: that of `OWNER_KEY`, without what knows the phone numbers of the world. */
import { uuid5 } from '../core/uuid5.ts'

export function ownerEntityId(agentId: string): string {
  return uuid5('entity', agentId, 'person', 'owner:')
}
