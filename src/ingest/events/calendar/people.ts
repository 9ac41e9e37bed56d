/** Excludes rooms and resources. */
import { given } from '../../../core/given.ts'
import type { EventPerson } from '../../../ledgers/event-record.ts'
import { normalHandle } from '../../../ledgers/people/handle.ts'
import { all, type Entry, first, type Property, parameter } from './entry.ts'

export interface Owner {
  readonly isOwn: (handle: string) => boolean
  readonly timezone: string
}

export interface TakingPart {
  readonly people: readonly EventPerson[]
  readonly organizer: Person | undefined
  /** By handle: `accepted`, `declined`, `tentative`, `needs-action`. */
  readonly answers: Readonly<Record<string, string>>
  readonly self: readonly string[]
  readonly resources: readonly string[]
}

interface Person {
  readonly handle: string
  readonly name: string | undefined
  readonly self: boolean
}

export function takingPart(entry: Entry): TakingPart {
  const organizer = personOf(first(entry, 'organizer'))
  const people: EventPerson[] = organizer === undefined ? [] : [{ role: 'organizer', ...given({ ...organizer, self: undefined }) }]
  const answers: Record<string, string> = {}
  const resources: string[] = []
  const self = new Set(organizer?.self ? [organizer.handle] : [])
  for (const property of all(entry, 'attendee')) {
    const person = personOf(property)
    if (person === undefined) continue
    if (/^(?:RESOURCE|ROOM)$/i.test(parameter(property, 'cutype') ?? '')) {
      resources.push(person.name ?? person.handle)
      continue
    }
    people.push({ role: 'attendee', handle: person.handle, ...given({ name: person.name }) })
    if (person.self) self.add(person.handle)
    const said = parameter(property, 'partstat')?.toLowerCase()
    if (said !== undefined) answers[person.handle] = said
  }
  return { people, organizer, answers, self: [...self].sort(), resources }
}

function personOf(property: Property | undefined): Person | undefined {
  if (property === undefined) return undefined
  const value = String(property[3] ?? '').trim()
  const raw = value.includes('@') ? value : (parameter(property, 'email') ?? value)
  const handle = normalHandle(safelyDecoded(raw))
  if (handle === '' || handle.startsWith('invalid:')) return undefined
  const name = parameter(property, 'cn')
    ?.trim()
    .replace(/^["']+|["']+$/g, '')
    .trim()
  const self = parameter(property, 'x-self') === 'TRUE'
  return { handle, name: name === undefined || name === '' || normalHandle(name) === handle ? undefined : name, self }
}

/** Only some programs percent-encode addresses. */
function safelyDecoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
