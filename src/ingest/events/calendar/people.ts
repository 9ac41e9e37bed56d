/** Who takes part in an entry: the organizer, the invited, and how they answered. Rooms and projectors are no people. */
import { given } from '../../../core/given.ts'
import type { EventPerson } from '../../../ledgers/event-record.ts'
import { normalHandle } from '../../../ledgers/people/handle.ts'
import { all, type Entry, first, type Property, parameter } from './entry.ts'

/** Whose calendars are read. */
export interface Owner {
  /** Whether a normalized handle is the owner's. */
  readonly isOwn: (handle: string) => boolean
  readonly timezone: string
}

export interface TakingPart {
  readonly people: readonly EventPerson[]
  readonly organizer: Person | undefined
  /** By handle: `accepted`, `declined`, `tentative`, `needs-action`. */
  readonly answers: Readonly<Record<string, string>>
  /** Of the owner. */
  readonly answer: string | undefined
  readonly resources: readonly string[]
}

interface Person {
  readonly handle: string
  readonly name: string | undefined
  readonly own: boolean
}

export function takingPart(entry: Entry, owner: Owner): TakingPart {
  const organizer = personOf(first(entry, 'organizer'), owner)
  const people: EventPerson[] = organizer === undefined ? [] : [{ role: 'organizer', ...given({ ...organizer, own: undefined }) }]
  const answers: Record<string, string> = {}
  const resources: string[] = []
  let answer: string | undefined
  for (const property of all(entry, 'attendee')) {
    const person = personOf(property, owner)
    if (person === undefined) continue
    if (/^(?:RESOURCE|ROOM)$/i.test(parameter(property, 'cutype') ?? '')) {
      resources.push(person.name ?? person.handle)
      continue
    }
    people.push({ role: 'attendee', handle: person.handle, ...given({ name: person.name }) })
    const said = parameter(property, 'partstat')?.toLowerCase()
    if (said === undefined) continue
    answers[person.handle] = said
    if (person.own) answer ??= said
  }
  return { people, organizer, answers, answer, resources }
}

function personOf(property: Property | undefined, owner: Owner): Person | undefined {
  if (property === undefined) return undefined
  const value = String(property[3] ?? '').trim()
  const raw = value.includes('@') ? value : (parameter(property, 'email') ?? value)
  const handle = normalHandle(safelyDecoded(raw))
  if (handle === '' || handle.startsWith('invalid:')) return undefined
  const name = parameter(property, 'cn')
    ?.trim()
    .replace(/^["']+|["']+$/g, '')
    .trim()
  const own = owner.isOwn(handle) || parameter(property, 'x-self') === 'TRUE'
  return { handle, name: name === undefined || name === '' || normalHandle(name) === handle ? undefined : name, own }
}

/** Addresses are URIs: some programs escape them, others do not. */
function safelyDecoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri // a percent sign that is meant as one
  }
}
