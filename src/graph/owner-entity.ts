/** Computes the id of `OWNER_KEY` without loading phone metadata. */
import { uuid5 } from '../core/uuid5.ts'

export function ownerEntityId(agentId: string): string {
  return uuid5('entity', agentId, 'person', 'owner:')
}
