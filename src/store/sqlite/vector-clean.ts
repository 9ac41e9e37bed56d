/** Vectors stay when their chunk goes, so that the same text need not be embedded again. This removes those that no chunk uses now. */
import { pauses } from './vector-pause.ts'
import type { Prepare } from './vector-prepare.ts'

const PAGE = 1000

export async function cleanVectors(prepare: Prepare): Promise<number> {
  const pause = pauses()
  const unused = prepare(`select v.number from vectors v where not exists (select 1 from vector_owners o where o.number = v.number)
    and not exists (select 1 from index_chunks c where c.vector_number = v.number)
    and not exists (select 1 from chunk_shadow s where s.vector_number = v.number)`)
  const numbers = unused.pluck().all() as number[]
  for (let from = 0; from < numbers.length; from += PAGE) {
    prepare('delete from vectors where number in (select value from json_each(?))').run(JSON.stringify(numbers.slice(from, from + PAGE)))
    await pause()
  }
  return numbers.length
}
