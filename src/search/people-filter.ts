/**
 * Turns `--from`, `--to` and `--with` (name, address or phone number) into all handles of a person. Loaded on demand: phone numbers need a
 * table of all countries.
 */
import { unknownValue } from '../core/unknown-value.ts'
import { countryOf, isNumber, normalHandle } from '../ledgers/people/handle.ts'
import { ownHandles } from '../ledgers/people/own-handles.ts'
import type { PeopleFilter, PersonFilter } from '../store/lexical.ts'
import type { Store } from '../store/store.ts'
import type { Owner } from './person.ts'
import type { SearchFilters } from './result.ts'

const SIDES = ['from', 'to', 'with'] as const
const SELF = new Set(['me', 'i', 'myself', 'owner'])
const MOST_NAMES = 200_000
const NEAR_ADDRESS = 3
const NEAR_NUMBER = 4
const LEAST_HANDLE = 3

export async function peopleFilter(filters: SearchFilters, { store, owner }: { store: Store; owner: Owner }): Promise<PeopleFilter> {
  const people: { -readonly [side in keyof PeopleFilter]: PersonFilter } = {}
  for (const side of SIDES) {
    const asked = filters[side]
    if (asked !== undefined) people[side] = await personCalled(store, asked, { owner, side })
  }
  return people
}

async function personCalled(store: Store, asked: string, { owner, side }: { owner: Owner; side: string }): Promise<PersonFilter> {
  const country = countryOf(owner.phones ?? [])
  const own = [...ownHandles(owner)]
  const wanted = fold(asked)
  if (SELF.has(wanted) || (owner.name !== undefined && wanted === fold(owner.name))) return { handles: own, isOwner: true }
  const handle = normalHandle(asked, country)
  if (own.includes(handle)) return { handles: own, isOwner: true }
  if (isAddress(asked)) return withHandle(store, { asked, handle, side })
  const all = await store.rows.peopleNames('everywhere', MOST_NAMES)
  const named = all.filter((name) => isCalled(fold(name), wanted))
  const users = wanted.length < LEAST_HANDLE || /\s/.test(wanted) ? [] : await store.rows.handlesOf([], [wanted])
  const handles = [...(await store.rows.handlesOf(named, [])), ...users.filter((user) => user === wanted || user.startsWith(`${wanted}@`))]
  const isOwner = owner.name !== undefined && fold(owner.name).split(/\s+/)[0] === wanted
  if (handles.length === 0 && !isOwner && all.length > 0) throw nobody(asked, side, all)
  return isOwner ? { handles: [...new Set([...own, ...handles])], isOwner } : { handles: [...new Set(handles)] }
}

async function withHandle(store: Store, { asked, handle, side }: { asked: string; handle: string; side: string }): Promise<PersonFilter> {
  const cards = await store.read.selectFrom('contacts').select('name').where('handle', '=', handle).execute()
  const others = await store.rows.handlesOf(
    cards.map(({ name }) => name),
    [handle],
  )
  const known = cards.length > 0 || others.includes(handle)
  if (!known) {
    const near = handle.slice(0, handle.includes('@') ? NEAR_ADDRESS : NEAR_NUMBER)
    const all = [...(await store.rows.handlesOf([], [near])), ...(await store.rows.peopleNames('everywhere', MOST_NAMES))]
    if (all.length > 0) throw nobody(asked, side, all)
  }
  const same = cards.length === 0 ? [] : others.filter((other) => !other.startsWith(handle))
  return { handles: [...new Set([handle, ...same])] }
}

function nobody(asked: string, side: string, known: readonly string[]): Error {
  return unknownValue({ filter: side, said: 'nobody who wrote or was written to is called', values: [asked], known })
}

function isAddress(text: string): boolean {
  return text.includes('@') || (isNumber(text) && text.replace(/\D/gu, '').length >= LEAST_HANDLE)
}

/** Whole, first or last name; "Chen, Sarah" is Sarah Chen. */
function isCalled(name: string, wanted: string): boolean {
  const [last = '', first] = name.split(/,\s*/)
  const names = first === undefined ? [name] : [name, `${first} ${last}`]
  return names.some((one) => one === wanted || one.startsWith(`${wanted} `) || one.endsWith(` ${wanted}`))
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ')
}
