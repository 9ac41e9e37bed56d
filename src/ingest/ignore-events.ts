/** If in doubt, an event is ignored. */
import type { Kysely } from 'kysely'
import { nameMatcher } from '../config/ignore.ts'
import type { Config } from '../config/schema.ts'
import type { EventPerson, EventRecord } from '../ledgers/event-record.ts'
import { countryOf, normalHandle } from '../ledgers/people/handle.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import type { Tables } from '../store/tables.ts'

/** Stateful per unit: a thread precedes its events, and its name may match. */
export type IgnoresEvent = (record: EventRecord) => boolean

/**
 * Mail and meetings are ignored if an ignored person takes part. In these chats, a message to a group is not ignored because of one
 * listener.
 */
const CHATS = new Set(['imessage'])

/** Undefined if nothing is ignored. Call after address books are read, because their names count. */
export async function eventIgnorer(
  { ignore: { channels, contacts }, owner }: Pick<Config, 'ignore' | 'owner'>,
  db: Kysely<Tables>,
): Promise<(() => IgnoresEvent) | undefined> {
  if (channels.length === 0 && contacts.length === 0) return undefined
  const country = countryOf(owner.phones)
  const isChannel = nameMatcher(channels)
  const isNamed = nameMatcher(contacts)
  const handles = new Set(contacts.map((pattern) => normalHandle(pattern, country)))
  const own = ownHandles({ emails: owner.emails ?? [], phones: owner.phones })
  const books = contacts.length === 0 ? [] : await db.selectFrom('contacts').select(['handle', 'name']).execute()
  for (const { handle, name } of books) if (isNamed(name)) handles.add(handle)
  const isIgnored = ({ handle, name }: EventPerson) => handles.has(handle) || isNamed(handle) || isNamed(name ?? '')
  return () => {
    const threads = new Map<string, boolean>()
    return (record) => {
      if (record.type === 'thread') {
        const ignored = threadNames(record).some(isChannel) || threads.get(record.parentThread ?? '') === true
        threads.set(record.id, ignored)
        return ignored
      }
      if (isChannel(record.channel) || threads.get(record.thread ?? '') === true) return true
      if (record.type === 'event' && labels(record.metadata).some(isChannel)) return true
      const people = record.people ?? []
      if (!CHATS.has(record.channel)) return people.some(isIgnored)
      return ofIgnoredChat(people, { isIgnored, own, isToOwner: record.type === 'event' && record.direction === 'received' })
    }
  }
}

function threadNames({ channel, name, metadata }: Extract<EventRecord, { type: 'thread' }>): string[] {
  const { calendar } = metadata ?? {}
  return [channel, name ?? '', typeof calendar === 'string' ? calendar : '']
}

function labels(metadata: Readonly<Record<string, unknown>> | undefined): string[] {
  const { labels: sorted, calendar } = metadata ?? {}
  return [...(Array.isArray(sorted) ? sorted : []), calendar].filter((label) => typeof label === 'string')
}

/** Ignores messages from an ignored person, and messages to nobody else. */
function ofIgnoredChat(
  people: readonly EventPerson[],
  { isIgnored, isToOwner, own }: { isIgnored: (person: EventPerson) => boolean; isToOwner: boolean; own: ReadonlySet<string> },
): boolean {
  if (people.some((person) => person.role === 'from' && isIgnored(person))) return true
  const others = people.filter(({ role, handle }) => role !== 'from' && !own.has(handle))
  return !isToOwner && others.length > 0 && others.every(isIgnored)
}
