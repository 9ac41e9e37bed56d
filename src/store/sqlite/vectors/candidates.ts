/** Which chunks to compare exactly: the few, of very many, that may be nearest by their sign bits in memory. All of them pass the filter. */
import type { VectorFilter } from '../../vectors.ts'
import type { Prepare } from '../statements.ts'
import { everyPassing, isPlain, passingOf, wayTo } from './filter.ts'
import type { Pause } from './pause.ts'
import type { Query } from './score.ts'
import type { SignBitsMemory } from './sign-bits-memory.ts'
import { closest, passing, ranked, sift } from './sign-bits-search.ts'

/** So many are compared among a hundred thousand, and so many more for each hit that is asked for. docs/vectors.md has the recall that this gives. */
const COMPARED = 500
const COMPARED_A_HIT = 4
/** The first pass leaves so many for each that is compared. */
const FIRST_PASS = 8
const BATCH = 500
/** Looking single chunks up costs more than reading all of them in order when they are more than this share of all. */
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

/** The more chunks there are, the more of them the signs rank before one of the nearest: ten times as many chunks, 4.6 times as many comparisons. */
function comparedOf(chunks: number, limit: number): number {
  return Math.ceil(COMPARED * Math.max(1, (chunks / 100_000) ** (2 / 3)) + COMPARED_A_HIT * limit)
}

/**
 * Most filters let many chunks pass: the closest are asked one after the other until enough have passed. Where so few do that more must be
 * asked, it begins again with more; undefined when it is better to find out first who passes at all.
 */
async function passingFirst(
  search: CandidateSearch,
  memory: SignBitsMemory,
  { compared, most }: { compared: number; most: number },
): Promise<number[] | undefined> {
  const { query, filter, pause } = search
  const ids = ranked(memory, query.vector, await closest(memory, query.vector, { scope: filter, most, pause }))
  /** Fewer than were wanted are all that there are. */
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
