/** Whose calendars are read, as their entries are judged by it: by addresses, by numbers, and by the zone that times without one are in. */
import { resolveOwner } from '../../config/owner.ts'
import type { Config } from '../../config/schema.ts'
import { countryOf, normalHandle } from '../../ledgers/people/handle.ts'
import type { Owner } from './calendar/people.ts'

export function calendarOwner(config: Pick<Config, 'owner' | 'agent'>): { readonly owner: Owner; readonly agentId: string } {
  const { emails, phones, timezone } = resolveOwner(config)
  const own = new Set([...emails, ...phones].map((handle) => normalHandle(handle, countryOf(phones))))
  return { owner: { isOwn: (handle) => own.has(handle), timezone }, agentId: config.agent === 'all' ? 'main' : config.agent }
}
