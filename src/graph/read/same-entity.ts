/** Entities that were merged are one to every reader: rows keep the id under which they were written, and `canonical_id` says whose they are now. */
import type { Store } from '../../store/store.ts'

/** Ids of one query. */
const AT_ONCE = 400
/** A chain that is longer is a circle: nobody merges so often. */
const LONGEST_CHAIN = 50

/** The entity that each of these is now. */
export async function canonicalOf({ read }: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map([...new Set(ids)].map((id) => [id, id]))
  let open = [...found.keys()]
  for (let step = 0; step < LONGEST_CHAIN && open.length > 0; step++) {
    const next = new Map<string, string>()
    for (let from = 0; from < open.length; from += AT_ONCE) {
      const rows = await read
        .selectFrom('entities')
        .select(['id', 'canonical_id'])
        .where('id', 'in', open.slice(from, from + AT_ONCE))
        .where('canonical_id', 'is not', null)
        .execute()
      for (const { id, canonical_id } of rows) if (canonical_id !== null && canonical_id !== id) next.set(id, canonical_id)
    }
    for (const [id, now] of found) found.set(id, next.get(now) ?? now)
    open = [...new Set(next.values())]
  }
  return found
}

/** The entity and all that were merged into it: whose rows are to be read together. */
export async function mergedInto({ read }: Store, id: string): Promise<string[]> {
  const all = new Set([id])
  let open = [id]
  while (open.length > 0) {
    const rows = await read.selectFrom('entities').select('id').where('canonical_id', 'in', open.slice(0, AT_ONCE)).execute()
    open = [...open.slice(AT_ONCE), ...rows.flatMap(({ id: other }) => (all.has(other) ? [] : [other]))]
    for (const other of open) all.add(other)
  }
  return [...all]
}
