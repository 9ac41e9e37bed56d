/** Pages rows by revision. Rows changed meanwhile get a later one. */
import type { Kysely, ReferenceExpression, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Page, Since, Waiting } from './indexable.ts'

export interface Revised {
  readonly id: string
  readonly revision: number
}

/** Rows older than revisions share one; ids order them. */
export interface ReadAfter {
  /** Inclusive. */
  readonly from: number
  /** Only greater ids, within `from`. */
  readonly last: string
}

/** `read`: at most `limit` rows in order. */
export async function* inRevisionOrder(
  read: (position: ReadAfter) => Promise<readonly Revised[]>,
  { after, limit }: { readonly after: number; readonly limit: number },
): AsyncGenerator<Page> {
  for (let [from, last] = [after + 1, '']; ; ) {
    const rows = await read({ from, last })
    const end = rows.at(-1)
    if (end === undefined) return
    // The next page may share the revision.
    yield { ids: rows.map(({ id }) => id), reached: end.revision - 1 }
    if (rows.length < limit) return
    from = end.revision
    last = end.id
  }
}

export async function newestRevision(db: Kysely<Tables>, table: 'episodes' | 'documents'): Promise<number> {
  const row = await db.selectFrom(table).select('revision').orderBy('revision', 'desc').limit(1).executeTakeFirst()
  return row?.revision ?? 0
}

export function revisedSince<DB, TB extends keyof DB>(
  all: () => SelectQueryBuilder<DB, TB, object>,
  { id, revision }: { readonly id: ReferenceExpression<DB, TB>; readonly revision: ReferenceExpression<DB, TB> },
  { after = -1, upTo }: Since,
): Waiting {
  // Only the caller knows the types.
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
