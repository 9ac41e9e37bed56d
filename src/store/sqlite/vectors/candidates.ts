import type { VectorFilter } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'
import { everyPassing, isPlain, passingOf, wayTo } from './filter.ts'
import type { Pause } from './pause.ts'
import type { Query } from './score.ts'
import type { SignBitsMemory } from './sign-bits-memory.ts'
import { closest, passing, ranked, sift } from './sign-bits-search.ts'

/** Candidates per 100,000 chunks, and more per requested hit. docs/vectors.md lists the recall. */
const COMPARED = 500
const COMPARED_A_HIT = 4
const FIRST_PASS = 8
const BATCH = 500
/** Above this share, a sequential scan is cheaper than single lookups. */
const WORTH_LOOKING_UP = 0.25

export interface CandidateSearch {
  readonly prepare: Prepare
  readonly query: Query
  readonly filter: VectorFilter
  readonly limit: number
  readonly exactMost: number
  readonly pause: Pause
}

export async function candidates(search: CandidateSearch, memory: SignBitsMemory): Promise<number[]> {
  const { prepare, query, filter, limit, exactMost, pause } = search
  const compared = comparedOf(memory.count(), limit)
  const most = compared * FIRST_PASS
  if (isPlain(filter)) {
    const ids = await closest(memory, query.vector, { scope: filter, most, pause })
    return sift(memory, query.vector, { ids, most: compared })
  }
  const found = await passingFirst(search, memory, { compared, most })
  if (found !== undefined) return found
  const among = passing(memory, await everyPassing(prepare, filter, pause), filter)
  const enough = comparedOf(among.length, limit)
  if (among.length <= Math.max(exactMost, enough)) return among
  const ids = await closest(memory, query.vector, { scope: filter, most: enough * FIRST_PASS, among, pause })
  return sift(memory, query.vector, { ids, most: enough })
}

/** Grows with n^(2/3): ten times as many chunks need 4.6 times as many comparisons for the same recall. */
function comparedOf(chunks: number, limit: number): number {
  return Math.ceil(COMPARED * Math.max(1, (chunks / 100_000) ** (2 / 3)) + COMPARED_A_HIT * limit)
}

/** Filters after ranking, growing the batch until enough pass. Undefined if filtering first is cheaper. */
async function passingFirst(
  search: CandidateSearch,
  memory: SignBitsMemory,
  { compared, most }: { compared: number; most: number },
): Promise<number[] | undefined> {
  const { query, filter, pause } = search
  const ids = ranked(memory, query.vector, await closest(memory, query.vector, { scope: filter, most, pause }))
  const all = ids.length < most
  const passed: number[] = []
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH)
    passed.push(...passingOf(search.prepare, filter, batch))
    if (passed.length >= compared) return passed.slice(0, compared)
    await pause()
    const needed = (compared * (from + batch.length)) / passed.length
    if (all || needed <= ids.length) continue
    const enough = Math.ceil(needed * 1.5)
    if (wayTo(filter) !== undefined || enough > memory.count() * WORTH_LOOKING_UP) return undefined
    return passingFirst(search, memory, { compared, most: enough })
  }
  return all ? passed : undefined
}
