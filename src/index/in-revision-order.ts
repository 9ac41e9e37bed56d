/** What has revisions, page by page in their order. A row that changes meanwhile gets a later revision, which is for the next run. */
import type { Kysely, ReferenceExpression, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Page, Since, Waiting } from './indexable.ts'

export interface Revised {
  readonly id: string
  readonly revision: number
}

/** Ids are compared only where several rows have one revision, as those have that are older than revisions. */
export interface ReadAfter {
  /** Not before this revision … */
  readonly from: number
  /** … and of this one only what has a greater id. */
  readonly last: string
}

/** `read` gives at most `limit` rows, by revision and id. */
export async function* inRevisionOrder(
  read: (position: ReadAfter) => Promise<readonly Revised[]>,
  { after, limit }: { readonly after: number; readonly limit: number },
): AsyncGenerator<Page> {
  for (let [from, last] = [after + 1, '']; ; ) {
    const rows = await read({ from, last })
    const end = rows.at(-1)
    if (end === undefined) return
    // Others of the same revision may come with the next page.
    yield { ids: rows.map(({ id }) => id), reached: end.revision - 1 }
    if (rows.length < limit) return
    from = end.revision
    last = end.id
  }
}

/** The newest revision of a whole table, whatever is indexed of it; 0 if it is empty. */
export async function newestRevision(db: Kysely<Tables>, table: 'episodes' | 'documents'): Promise<number> {
  const row = await db.selectFrom(table).select('revision').orderBy('revision', 'desc').limit(1).executeTakeFirst()
  return row?.revision ?? 0
}

/** What waits of a table with revisions: `all` selects its rows, `id` and `revision` are their columns. */
export function revisedSince<DB, TB extends keyof DB>(
  all: () => SelectQueryBuilder<DB, TB, object>,
  { id, revision }: { readonly id: ReferenceExpression<DB, TB>; readonly revision: ReferenceExpression<DB, TB> },
  { after = -1, upTo }: Since,
): Waiting {
  // The columns are given by name: what may be compared with them is known to the caller alone.
  const than = (value: string | number) => value as never
  return {
    async count() {
      const some = all().where(revision, '>', than(after)).where(revision, '<=', than(upTo))
      const row = await some.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return Number((row as { count?: unknown }).count)
    },
    pages: (limit) =>
      inRevisionOrder(
        async ({ from, last }) => {
          const rows = await all()
            .select((eb) => [eb.ref(id as never).as('id'), eb.ref(revision as never).as('revision')])
            .where(revision, '>=', than(from))
            .where(revision, '<=', than(upTo))
            .where((eb) => eb.or([eb(revision, '>', than(from)), eb(id, '>', than(last))]))
            .orderBy(revision)
            .orderBy(id)
            .limit(limit)
            .execute()
          return rows as unknown as readonly Revised[]
        },
        { after, limit },
      ),
  }
}
