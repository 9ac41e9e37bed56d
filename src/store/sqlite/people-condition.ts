/** One event of the chunk must satisfy the whole filter. Values are bound. */
import type { PeopleFilter, PersonFilter } from '../lexical.ts'

type Side = keyof PeopleFilter

const ROLES: Readonly<Record<Side, string>> = {
  from: "p.role in ('from', 'organizer')",
  // Members of a chat count as recipients unless they sent the message.
  to: `(p.role in ('to', 'cc', 'bcc', 'attendee') or (p.role = 'member' and not exists
    (select 1 from event_people s where s.event_id = p.event_id and s.handle = p.handle and s.role = 'from')))`,
  with: 'true',
}
/** Matches the owner by direction: a source may omit which handle was used. */
const DIRECTIONS: Readonly<Record<Side, string>> = {
  from: "e.direction = 'sent'",
  to: "e.direction = 'received'",
  with: "e.direction in ('sent', 'received')",
}

export function peopleCondition(people: PeopleFilter): { readonly sql: string; readonly params: Readonly<Record<string, string>> } {
  const params: Record<string, string> = {}
  const parts: string[] = []
  for (const side of ['from', 'to', 'with'] as const) {
    const person = people[side]
    if (person === undefined) continue
    params[`${side}Handles`] = JSON.stringify(person.handles)
    parts.push(eventCondition(side, person))
  }
  return isIndexed(people)
    ? { sql: `c.id in (select x.chunk from index_events x where ${parts.join(' and ')})`, params }
    : { sql: `exists (select 1 from index_events x where x.chunk = c.id and ${parts.join(' and ')})`, params }
}

/** Anyone but the owner: few events, so start from them. */
export function isIndexed(people: PeopleFilter): boolean {
  return Object.values(people).some((person) => person !== undefined && !person.isOwner)
}

function eventCondition(side: Side, { isOwner }: PersonFilter): string {
  const byHandle = `x.event_id in (select p.event_id from event_people p where p.handle in (select value from json_each(@${side}Handles)) and ${ROLES[side]})`
  return isOwner ? `(${byHandle} or exists (select 1 from events e where e.id = x.event_id and ${DIRECTIONS[side]}))` : byHandle
}
