/** Times that a question names by what happened then: "before the launch", "since we moved to Postgres". Reads only. */
import type { Store } from '../store/store.ts'
import type { People } from './person.ts'
import { planQuery } from './plan.ts'
import type { Scope } from './scope.ts'
import type { TimeSpan } from './when-span.ts'

/** It says less than a date: what is told after an event may have happened before it. */
const SURE = 0.4
const EVENT = /\b(before|until|after|since)\s+((?:the|we|i|our|my)\s.{3,80}?)\s*[?.!]*$/i

/** The time before or after the chunk that speaks most of the event; nothing where none does. */
export async function eventSpans(
  query: string,
  { store, people, scope }: { store: Store; people: People; scope: Scope },
): Promise<TimeSpan[]> {
  const [, word = '', event = ''] = EVENT.exec(query) ?? []
  if (event === '') return []
  const plan = await planQuery(event, store.lexical, people)
  if (plan.any.length === 0) return []
  const [hit] = await store.lexical.search({ any: plan.any.map(({ term }) => term) }, scope.filter, 1)
  const row = hit && (await store.rows.candidates([hit.chunkId]))[0]
  if (row === undefined) return []
  const later = /after|since/i.test(word)
  return [
    later
      ? { from: row.timestamp, to: Number.POSITIVE_INFINITY, sure: SURE }
      : { from: Number.NEGATIVE_INFINITY, to: row.timestamp, sure: SURE },
  ]
}
