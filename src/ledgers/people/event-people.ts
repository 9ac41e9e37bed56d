import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import type { EventPeopleTable } from '../../store/tables.ts'
import type { EventPerson } from '../event-record.ts'

export async function peopleOf(tx: Pick<WriteTx, 'db'>, events: readonly string[]): Promise<Map<string, EventPerson[]>> {
  const of = new Map<string, EventPerson[]>()
  if (events.length === 0) return of
  const rows = await tx.db.selectFrom('event_people').selectAll().where('event_id', 'in', events).execute()
  for (const { event_id, role, handle, name } of rows) {
    const people = of.get(event_id)
    if (people) people.push({ role, handle, name })
    else of.set(event_id, [{ role, handle, name }])
  }
  return of
}

export function samePeople(some: readonly EventPerson[], others: readonly EventPerson[]): boolean {
  const keys = keysOf(some)
  const other = keysOf(others)
  return keys.size === other.size && [...keys].every((key) => other.has(key))
}

export async function putPeople(tx: WriteTx, event: string, people: readonly EventPerson[], before: readonly EventPerson[]): Promise<void> {
  if (samePeople(people, before)) return
  if (before.length > 0) await tx.db.deleteFrom('event_people').where('event_id', '=', event).execute()
  for (const { role, handle, name = null } of byKey(people).values()) await insertPerson(tx.db, { event_id: event, role, handle, name })
}

const insertPerson = compiledOnce((db, { event_id, role, handle, name }: EventPeopleTable) =>
  db.insertInto('event_people').values({ event_id, role, handle, name }),
)

function byKey(people: readonly EventPerson[]): Map<string, EventPerson> {
  const found = new Map<string, EventPerson>()
  for (const person of people) {
    const key = `${person.role} ${person.handle}`
    if (found.get(key)?.name == null) found.set(key, person)
  }
  return found
}

function keysOf(people: readonly EventPerson[]): Set<string> {
  return new Set([...byKey(people)].map(([key, { name }]) => `${key} ${name ?? ''}`))
}
