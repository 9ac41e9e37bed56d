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
const BATCH = 500
/** From here on it is quicker to read the names of all sessions once. */
const MANY = 50
const COLUMNS = ['id', 'native_id', 'label'] as const

export interface SessionName {
  readonly id: string
  readonly native_id: string
}

/** The short id of each turn that is still there. */
export async function shortTurnIds(store: Store, turnIds: readonly string[]): Promise<Map<string, string>> {
  const numbers = new Map<string, { session: string; number: number }>()
  const sessions = new Map<string, SessionName>()
  for (const ids of batches([...new Set(turnIds)])) {
    const rows = await store.read
      .selectFrom('agent_turns as t')
      .innerJoin('agent_sessions as s', 's.id', 't.session_id')
      .select(['t.id', 's.id as session', 's.native_id'])
      .where('t.id', 'in', ids)
      .execute()
    for (const { session, native_id } of rows) sessions.set(session, { id: session, native_id })
    for (const { id, session_id, number } of await numbered(store, [...new Set(rows.map(({ session }) => session))], ids))
      numbers.set(id, { session: session_id, number: Number(number) })
  }
  const names = await shortSessionIds(store, [...sessions.values()])
  const short = new Map([...numbers].map(([id, { session, number }]) => [id, `${names.get(session)}:${number}`]))
  // A session may be called what this turn would be called: then the turn keeps its full id.
  const taken = await calledExactly(store, [...new Set(short.values())])
  return new Map([...short].map(([id, name]) => [id, taken.has(name) ? id : name]))
}

function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < all.length; i += BATCH) yield all.slice(i, i + BATCH)
}

/** Turns of these sessions with their places, from 1. */
function numbered(store: Store, sessions: readonly string[], ids: readonly string[]) {
  if (sessions.length === 0) return []
  return store.read
    .selectFrom((eb) =>
      eb
        .selectFrom('agent_turns')
        .select((all) => [
          'id',
          'session_id',
          all.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('session_id').orderBy('sequence').orderBy('id'))
            .as('number'),
        ])
        .where('session_id', 'in', sessions)
        .as('places'),
    )
    .select(['id', 'session_id', 'number'])
    .where('id', 'in', ids)
    .execute()
}

async function calledExactly(store: Store, names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const batch of batches(names)) {
    for (const column of COLUMNS) {
      const rows = await store.read.selectFrom('agent_sessions').select(`${column} as name`).where(column, 'in', batch).execute()
      for (const { name } of rows) found.add(name)
    }
  }
  return found
}

export async function shortSessionId(store: Store, session: SessionName): Promise<string> {
  return shortest(session, await neighboursInStore(store, session))
}

/** The short id of each session, by its id. */
export async function shortSessionIds(store: Store, sessions: readonly SessionName[]): Promise<Map<string, string>> {
  const find = sessions.length > MANY ? await neighboursInMemory(store) : (session: SessionName) => neighboursInStore(store, session)
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

async function neighboursInStore(store: Store, { id, native_id }: SessionName): Promise<string[]> {
  const row = await store.read
    .selectNoFrom((eb) =>
      COLUMNS.flatMap((column) => {
        const others = eb.selectFrom('agent_sessions').select(column).where('id', '<>', id).limit(1)
        return [
          others.where(column, '>=', native_id).orderBy(column).as(`${column}_after`),
          others.where(column, '<', native_id).orderBy(column, 'desc').as(`${column}_before`),
        ]
      }),
    )
    .executeTakeFirstOrThrow()
  return Object.values(row).filter((name) => typeof name === 'string')
}

async function neighboursInMemory(store: Store): Promise<(session: SessionName) => string[]> {
  const rows = await store.read.selectFrom('agent_sessions').select(COLUMNS).execute()
  const names = rows.flatMap((row) => COLUMNS.map((column) => ({ name: row[column], id: row.id })))
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
