/** Which events never enter the ledger: of channels and of people that the owner's configuration names. In doubt an event is left out. */
import type { Kysely } from 'kysely'
import { nameMatcher } from '../config/ignore.ts'
import type { Config } from '../config/schema.ts'
import type { EventPerson, EventRecord } from '../ledgers/event-record.ts'
import { countryOf, normalHandle } from '../ledgers/people/handle.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import type { Tables } from '../store/tables.ts'

/** Of one unit: a thread comes before its events, and its name may be what is ignored. */
export type IgnoresEvent = (record: EventRecord) => boolean

/** Mail and meetings are left out where an ignored person has any part. Where people come and go, what somebody else says to all is not left out for one who listens. */
const CHATS = new Set(['imessage'])

/** Undefined where nothing is to be ignored. Asked when address books are read: the names that they give count too. */
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

/** What a mailbox sorts mail by, and the calendar of an appointment. */
function labels(metadata: Readonly<Record<string, unknown>> | undefined): string[] {
  const { labels: sorted, calendar } = metadata ?? {}
  return [...(Array.isArray(sorted) ? sorted : []), calendar].filter((label) => typeof label === 'string')
}

/** What such a person says, and all that is said to nobody else; what somebody else says to the owner is said to somebody. */
function ofIgnoredChat(
  people: readonly EventPerson[],
  { isIgnored, isToOwner, own }: { isIgnored: (person: EventPerson) => boolean; isToOwner: boolean; own: ReadonlySet<string> },
): boolean {
  if (people.some((person) => person.role === 'from' && isIgnored(person))) return true
  const others = people.filter(({ role, handle }) => role !== 'from' && !own.has(handle))
  return !isToOwner && others.length > 0 && others.every(isIgnored)
}
