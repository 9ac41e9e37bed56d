/** Which of some chunks hold a term: its list is read, or each chunk is looked up in it, whichever costs less. */
import type { Prepare } from '../statements.ts'

/** Reading a term's list of chunks is this much cheaper, a chunk, than looking one chunk up in it. */
export const SCAN_A_LOOK_UP = 300

interface Holders {
  readonly prepare: Prepare
  readonly match: string
  readonly asked: ReadonlySet<number>
  /** Read the whole list instead of looking each chunk up. */
  readonly scan: boolean
}

/** Those of the chunks that match. */
export function holders({ prepare, match, asked, scan }: Holders): number[] {
  const ids = JSON.stringify([...asked])
  // The plus keeps the engine from looking each chunk up. A number of JavaScript would be bound as a float, which FTS5 does not take for a rowid.
  const rowid = scan ? '+rowid' : 'rowid'
  const holding = prepare(`select rowid from chunks_fts where chunks_fts match ? and ${rowid} in (select value from json_each(?))`)
  return holding.pluck().all(match, ids) as number[]
}
