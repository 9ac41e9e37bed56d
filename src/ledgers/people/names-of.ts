/** What handles are called: as the address books say, else as events write it most often. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'

/** Handles of one query: an engine takes only so many parameters. */
const AT_ONCE = 400

/** Handles without any name are left out. Normalized handles are expected (`handle.ts`). */
export async function namesOf(db: Kysely<Tables>, handles: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const asked = [...new Set(handles)]
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE)
    for (const [handle, name] of await inAddressBooks(db, some)) names.set(handle, name)
    const nameless = some.filter((handle) => !names.has(handle))
    for (const [handle, name] of await inEvents(db, nameless)) names.set(handle, name)
  }
  return names
}

/** Where several files name a handle, the first in the order of their paths counts, so that the answer is always the same. */
async function inAddressBooks(db: Kysely<Tables>, handles: readonly string[]): Promise<Map<string, string>> {
  if (handles.length === 0) return new Map()
  const rows = await db.selectFrom('contacts').select(['handle', 'name']).where('handle', 'in', handles).orderBy('unit', 'desc').execute()
  return new Map(rows.map(({ handle, name }) => [handle, name]))
}

async function inEvents(db: Kysely<Tables>, handles: readonly string[]): Promise<Map<string, string>> {
  if (handles.length === 0) return new Map()
  const rows = await db
    .selectFrom('event_people')
    .select((eb) => ['handle', 'name', eb.fn.countAll<number>().as('times')])
    .where('handle', 'in', handles)
    .where('name', 'is not', null)
    .groupBy(['handle', 'name'])
    .orderBy('times')
    .orderBy('name', 'desc')
    .execute()
  // The last of a handle stays: the most frequent name, of equals the first in order.
  return new Map(rows.flatMap(({ handle, name }) => (name === null || isHandle(name, handle) ? [] : [[handle, name] as const])))
}

/**
 * Many programs write the address in the place of a name that they do not know. An address that is not this person's is no name either: whoever puts
 * somebody else's there wants to be taken for them.
 */
export function isHandle(name: string, handle: string): boolean {
  const text = name.trim().toLowerCase()
  return text === '' || text === handle || /[^\s@<>"']@[^\s@<>"']+\.[^\s@<>"']/.test(text.replaceAll(handle, ''))
}
