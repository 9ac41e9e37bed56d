import type { Prepare } from '../statements.ts'

/** One lookup of a chunk costs as much as scanning this many postings. */
export const SCAN_A_LOOK_UP = 300

interface Holders {
  readonly prepare: Prepare
  readonly match: string
  readonly asked: ReadonlySet<number>
  readonly scan: boolean
}

export function holders({ prepare, match, asked, scan }: Holders): number[] {
  const ids = JSON.stringify([...asked])
  // The plus disables the rowid lookup. Ids go through JSON: FTS5 rejects a rowid bound as float.
  const rowid = scan ? '+rowid' : 'rowid'
  const holding = prepare(`select rowid from chunks_fts where chunks_fts match ? and ${rowid} in (select value from json_each(?))`)
  return holding.pluck().all(match, ids) as number[]
}
