/**
 * Short ids of turns, as people type them: `c010174c:7` is the seventh turn of the session whose native id begins so. At least eight
 * characters of it, and as many as make it unique. `resolve.ts` takes them back.
 */
import type { Store } from '../store/store.ts'

const SHORTEST = 8
const LAST_CHARACTER = '\u{10FFFF}'

/** The short id of each turn that is still there. */
export async function shortTurnIds(store: Store, turnIds: readonly string[]): Promise<Map<string, string>> {
  const short = new Map<string, string>()
  if (turnIds.length === 0) return short
  const turns = await store.read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .select(['t.id', 's.id as session', 's.native_id'])
    .select((eb) =>
      eb
        .selectFrom('agent_turns as o')
        .select((count) => count.fn.countAll<number>().as('n'))
        .whereRef('o.session_id', '=', 't.session_id')
        .whereRef('o.sequence', '<=', 't.sequence')
        .as('number'),
    )
    .where('t.id', 'in', [...new Set(turnIds)])
    .execute()
  const names = new Map<string, string>()
  for (const { id, session, native_id, number } of turns) {
    const name = names.get(session) ?? (await shortSessionId(store, { id: session, native_id }))
    names.set(session, name)
    short.set(id, `${name}:${number}`)
  }
  return short
}

/** The shortest beginning of the native id that no other session has; the full id where there is none. */
export async function shortSessionId(store: Store, { id, native_id: native }: { id: string; native_id: string }): Promise<string> {
  const start = native.slice(0, SHORTEST)
  const others = await store.read
    .selectFrom('agent_sessions')
    .select('native_id')
    .where('native_id', '>=', start)
    .where('native_id', '<', start + LAST_CHARACTER)
    .where('id', '<>', id)
    .execute()
  let length = Math.min(SHORTEST, native.length)
  const taken = () => others.some(({ native_id }) => native_id.startsWith(native.slice(0, length)))
  while (length < native.length && taken()) length++
  return taken() ? id : native.slice(0, length)
}
