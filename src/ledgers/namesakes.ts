/**
 * A session whose plain id belongs to another one has a longer id, which follows from its beginning. A unit that is read further tells no
 * beginning: what it gave before says which session it means.
 */
import { disambiguatedSessionId, plainSessionId, sessionId } from '../core/ids.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import type { AgentRecord } from './agent-record.ts'

export interface KnownNames {
  readonly source: string
  /** Session ids this unit gave in earlier runs, the first one first. */
  readonly own: ReadonlySet<string>
  /** Of these, the longer ids that are in the ledger, by native id. */
  readonly namesakes: ReadonlyMap<string, string>
}

export async function namesakesOf(tx: WriteTx, { source, own }: Omit<KnownNames, 'namesakes'>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [id, plain] of longer(own, source)) {
    const row = await tx.db.selectFrom('agent_sessions').select('native_id').where('id', '=', id).executeTakeFirst()
    // The native id itself may look like that.
    if (row !== undefined && sessionId(source, row.native_id) === plain) found.set(row.native_id, id)
  }
  return found
}

/** Native ids of sessions that this unit gave under a longer id and that were forgotten. */
export function forgottenNamesakes({ source, own, namesakes }: KnownNames, tombstones: Tombstones): Set<string> {
  const natives = [...longer(own, source)].flatMap(([id, plain]) =>
    tombstones.holds('session', id) ? [plain.slice(sessionId(source, '').length)] : [],
  )
  return new Set(natives.filter((native) => !namesakes.has(native)))
}

/** The longer id under which this unit gave the session of a record before. */
export function namesakeOf({ source, namesakes }: KnownNames, record: AgentRecord): string | undefined {
  const { session } = record
  const id = session === undefined ? undefined : namesakes.get(session)
  if (id === undefined || record.type !== 'session' || !record.weakName) return id
  // A file that was written anew may hold another session: it tells its beginning.
  return id === disambiguatedSessionId(sessionId(source, record.session), record.firstHash) ? id : undefined
}

/** A unit that gave the plain id first has no namesake: it is that session. */
function* longer(own: ReadonlySet<string>, source: string): Generator<[id: string, plain: string], void, undefined> {
  const before = new Set<string>()
  for (const id of own) {
    const plain = id.startsWith(sessionId(source, '')) ? plainSessionId(id) : undefined
    if (plain !== undefined && !before.has(plain)) yield [id, plain]
    before.add(id)
  }
}
