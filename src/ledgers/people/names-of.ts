/** Names from address books, else the most frequent in events. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'

/** Limits query parameters. */
const AT_ONCE = 400

/** Expects normalized handles (`handle.ts`). Omits handles without a name. */
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

/** If several files name a handle, the first path wins (last in this order). */
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
  // The last row per handle wins: the most frequent name, ties by name.
  return new Map(rows.flatMap(({ handle, name }) => (name === null || isHandle(name, handle) ? [] : [[handle, name] as const])))
}

/** Rejects addresses as names. A foreign address as a name suggests impersonation. */
export function isHandle(name: string, handle: string): boolean {
  const text = name.trim().toLowerCase()
  return text === '' || text === handle || /[^\s@<>"']@[^\s@<>"']+\.[^\s@<>"']/.test(text.replaceAll(handle, ''))
}
