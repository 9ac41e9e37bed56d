import { resolveOwner } from '../../config/owner.ts'
import type { Config } from '../../config/schema.ts'
import { ownHandles } from '../../ledgers/people/own-handles.ts'
import type { Owner } from './calendar/people.ts'

export function calendarOwner(config: Pick<Config, 'owner'>): { readonly owner: Owner; readonly agentId: string } {
  const { emails, phones, timezone } = resolveOwner(config)
  const own = ownHandles({ emails, phones })
  return { owner: { isOwn: (handle) => own.has(handle), timezone }, agentId: 'main' }
}
