/**
 * Short ids, as people type them: `c010174c` is the session whose native id begins so, `c010174c:7` its seventh turn. At least eight
 * characters, and as many as tell it from every other session; where no beginning does, the full id. `resolve.ts` takes them back.
 *
 * Turns are counted in the order in which they were said, those on abandoned branches too: a session that grows only gets higher numbers.
 */
import type { Store } from '../store/store.ts'

const SHORTEST = 8
/** So small a number means a line of the last answer: at the command line it is no id. Nor is what begins like an option. */
const POSITION = /^\d{1,5}$/
/** The end of a turn's short id: a session's must not look like one. */
const TURN_NUMBER = /:\d*$/
/** From here on it is quicker to read the names of all sessions once. */
const MANY = 50

export interface SessionName {
  readonly id: string
  readonly native_id: string
}

/** The short id of each turn that is still there. */
export async function shortTurnIds(store: Store, turnIds: readonly string[]): Promise<Map<string, string>> {
  const places = await store.rows.turnPlaces([...new Set(turnIds)])
  const sessions = new Map(places.map(({ session_id, native_id }) => [session_id, { id: session_id, native_id }]))
  const names = await shortSessionIds(store, [...sessions.values()])
  const short = new Map(places.map(({ id, session_id, number }) => [id, `${names.get(session_id)}:${number}`]))
  // A session may be called what this turn would be called: then the turn keeps its full id.
  const taken = await store.rows.namesTaken([...new Set(short.values())])
  return new Map([...short].map(([id, name]) => [id, taken.has(name) ? id : name]))
}

export async function shortSessionId(store: Store, session: SessionName): Promise<string> {
  return shortest(session, await store.rows.namesBeside(session))
}

/** The short id of each session, by its id. */
export async function shortSessionIds(store: Store, sessions: readonly SessionName[]): Promise<Map<string, string>> {
  const find = sessions.length > MANY ? await neighboursInMemory(store) : (session: SessionName) => store.rows.namesBeside(session)
  const short = new Map<string, string>()
  for (const session of sessions) short.set(session.id, shortest(session, await find(session)))
  return short
}

/** `others`: of the names that other sessions have, at least those just before and just after the native id in their order. */
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

/** Between the two halves of a character. */
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
