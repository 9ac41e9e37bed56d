import { namesOf } from '../ledgers/people/names-of.ts'
import type { Store } from '../store/store.ts'
import { redactText } from './redact-stored.ts'

export interface ShownPerson {
  readonly role: string
  readonly handle: string
  /** From the address book or the source; null if unknown. */
  readonly name: string | null
}

const AT_ONCE = 400

export async function shownPeople(store: Store, events: readonly { readonly id: string }[]): Promise<Map<string, ShownPerson[]>> {
  const of = new Map<string, ShownPerson[]>()
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const ids = events.slice(from, from + AT_ONCE).map(({ id }) => id)
    const rows = await store.read.selectFrom('event_people').selectAll().where('event_id', 'in', ids).orderBy('handle').execute()
    const names = await namesOf(
      store.read,
      rows.map(({ handle }) => handle),
    )
    for (const { event_id, role, handle, name: written } of rows) {
      const name = names.get(handle) ?? written
      const person = { role, handle: redactText(handle), name: name === null ? null : redactText(name) }
      const people = of.get(event_id)
      if (people) people.push(person)
      else of.set(event_id, [person])
    }
  }
  return of
}

/** Without the owner, senders first, deduped. */
export function othersOf(people: readonly ShownPerson[], own: ReadonlySet<string>): ShownPerson[] {
  const found = new Map<string, ShownPerson>()
  const wrote = (person: ShownPerson) => person.role === 'from' || person.role === 'organizer'
  for (const person of [...people.filter(wrote), ...people.filter((one) => !wrote(one))])
    if (!own.has(person.handle) && !found.has(person.handle)) found.set(person.handle, person)
  return [...found.values()]
}

/** Handles of the owner: configured ones, and senders of sent events. */
export function withSenders(
  own: ReadonlySet<string>,
  events: readonly { readonly id: string; readonly direction: string }[],
  people: ReadonlyMap<string, readonly ShownPerson[]>,
): ReadonlySet<string> {
  const sent = events.filter(({ direction }) => direction === 'sent').flatMap(({ id }) => people.get(id) ?? [])
  return new Set([...own, ...sent.filter(({ role }) => role === 'from').map(({ handle }) => handle)])
}
