import { numberOf } from '../core/time-phrase.ts'
import type { Store } from '../store/store.ts'
import { vectorWeight } from './knows-meaning.ts'
import { mentionOf } from './mention.ts'
import type { Owner, People, Person } from './person.ts'
import { planQuery } from './plan.ts'
import type { Scope } from './scope.ts'
import { timesAsked } from './when.ts'
import { type TimeSpan, zoneOf } from './when-span.ts'

export interface Intent {
  /** The only person that the question names. Their own words count more. */
  readonly mentioned: Person | undefined
  /** Text to embed: the question without names of people. */
  readonly meaning: string
  /** 0 to 1: how much a vector can know of it. Paths, codes and identifiers mean nothing to one. */
  readonly vectorWeight: number
  readonly times: readonly TimeSpan[]
  readonly newest: boolean
  /** Future dates count as equally old. */
  readonly now?: number
}

const NEWEST = /\b(?:latest|newest|most recent(?:ly)?|currently|right now|last time|these days|up to date)\b/i
export interface IntentOptions {
  readonly store: Store
  readonly people: People
  readonly owner: Owner
  readonly scope: Scope
  readonly now: number
}

export async function intentOf(query: string, { store, people, owner, scope, now }: IntentOptions): Promise<Intent> {
  const { person, meaning } = await mentionOf(query, people)
  const named = timesAsked(query, zoneOf(owner, now))
  const times = named.length > 0 ? named : await eventSpans(query, { store, people, scope })
  return { mentioned: person, meaning, vectorWeight: vectorWeight(query), times, newest: NEWEST.test(query), now }
}

/** Less certain than a date: people mention things long after an event, too. */
const SURE = 0.4
const COUNTED =
  /\b(\d{1,3}|an?|couple of|few|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month)s? (?:before|after)\s+(?:the|we|i|our|my)\s/i
const COUNTED_SURE = 0.6
const UNIT = { day: 86_400_000, week: 7 * 86_400_000, month: 30.4 * 86_400_000 } as const
const EVENT = /\b(before|until|after|since)\s+((?:the|we|i|our|my)\s.{3,80}?)\s*[?.!]*$/i

/** The time before or after the chunk that matches the event best. */
async function eventSpans(query: string, { store, people, scope }: { store: Store; people: People; scope: Scope }): Promise<TimeSpan[]> {
  const [, word = '', event = ''] = EVENT.exec(query) ?? []
  if (event === '') return []
  const plan = await planQuery(event, store.lexical, people)
  if (plan.any.length === 0) return []
  const [hit] = await store.lexical.search({ any: plan.any.map(({ term }) => term) }, scope.filter, 1)
  const row = hit && (await store.rows.candidates([hit.chunkId]))[0]
  if (row === undefined) return []
  const later = /after|since/i.test(word)
  const [, count, unit] = COUNTED.exec(query) ?? []
  if (count !== undefined && unit !== undefined) {
    const length = UNIT[unit.toLowerCase() as keyof typeof UNIT]
    const distance = numberOf(count.toLowerCase()) * length
    const at = row.timestamp + (later ? distance : -distance)
    const off = Math.max(UNIT.day, length / 2, distance * 0.1)
    return [{ from: at - off, to: at + off, sure: COUNTED_SURE }]
  }
  return [
    later
      ? { from: row.timestamp, to: Number.POSITIVE_INFINITY, sure: SURE }
      : { from: Number.NEGATIVE_INFINITY, to: row.timestamp, sure: SURE },
  ]
}
