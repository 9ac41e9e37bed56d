/**
 * `c010174c` is a unique prefix of a session's native id, at least eight characters; `c010174c:7` is its seventh turn. `resolve.ts` parses
 * them. Turns count in spoken order, abandoned branches included, so numbers stay stable as a session grows.
 */
import type { Store } from '../store/store.ts'

const SHORTEST = 8
/** On the command line, such numbers are lines of the last answer. A leading dash would be an option. */
const POSITION = /^\d{1,5}$/
/** A session's short id must not look like a turn's. */
const TURN_NUMBER = /:\d*$/
/** From here on, reading all session names once is faster. */
const MANY = 50

export interface SessionName {
  readonly id: string
  readonly native_id: string
}

export async function shortTurnIds(store: Store, turnIds: readonly string[]): Promise<Map<string, string>> {
  const places = await store.rows.turnPlaces([...new Set(turnIds)])
  const sessions = new Map(places.map(({ session_id, native_id }) => [session_id, { id: session_id, native_id }]))
  const names = await shortSessionIds(store, [...sessions.values()])
  const short = new Map(places.map(({ id, session_id, number }) => [id, `${names.get(session_id)}:${number}`]))
  // If a session already has this name, the turn keeps its full id.
  const taken = await store.rows.namesTaken([...new Set(short.values())])
  return new Map([...short].map(([id, name]) => [id, taken.has(name) ? id : name]))
}

export async function shortSessionId(store: Store, session: SessionName): Promise<string> {
  return shortest(session, await store.rows.namesBeside(session))
}

export async function shortSessionIds(store: Store, sessions: readonly SessionName[]): Promise<Map<string, string>> {
  const find = sessions.length > MANY ? await neighboursInMemory(store) : (session: SessionName) => store.rows.namesBeside(session)
  const short = new Map<string, string>()
  for (const session of sessions) short.set(session.id, shortest(session, await find(session)))
  return short
}

/** `others`: must include the neighbours of the native id in sorted order. */
function shortest({ id, native_id: native }: SessionName, others: readonly string[]): string {
  if (others.includes(native) || POSITION.test(native) || native.startsWith('-')) return id
  const shared = Math.max(0, ...others.map((name) => sharedLength(native, name)))
  let length = Math.max(SHORTEST, shared + 1)
  while (length < native.length && (TURN_NUMBER.test(native.slice(0, length)) || isSplit(native, length))) length++
  return native.slice(0, length)
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

function isSplit(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

async function neighboursInMemory(store: Store): Promise<(session: SessionName) => string[]> {
  const rows = await store.rows.sessionNames()
  const names = rows.flatMap(({ id, native_id, label }) => [id, native_id, label].map((name) => ({ name, id })))
  names.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return ({ id, native_id }) => {
    let low = 0
    let high = names.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((names[middle]?.name ?? '') < native_id) low = middle + 1
      else high = middle
    }
    let after = low
    while (names[after]?.id === id) after++
    let before = low - 1
    while (names[before]?.id === id) before--
    return [names[after]?.name, names[before]?.name].filter((name) => name !== undefined)
  }
}
