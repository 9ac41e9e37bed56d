/** What has revisions, page by page in their order. A row that changes meanwhile gets a later revision, which is for the next run. */
import type { Page } from './indexable.ts'

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
