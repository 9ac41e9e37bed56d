/**
 * Two sessions of a source can have the same native id. The second one gets a disambiguated id, made from the hash of its first record. A unit
 * that is read on from its last position does not bring that record again: the ids it gave before tell which session it means.
 */
import { disambiguatedSessionId, plainSessionId, sessionId } from '../core/ids.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import type { AgentRecord } from './agent-record.ts'

export interface UnitSessions {
  readonly source: string
  /** Session ids that this unit gave in earlier runs, in order. */
  readonly own: ReadonlySet<string>
  /** Of these, the disambiguated ids that are in the ledger, by native id. */
  readonly disambiguated: ReadonlyMap<string, string>
}

export async function readDisambiguated(tx: WriteTx, { source, own }: Omit<UnitSessions, 'disambiguated'>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [id, plain] of disambiguatedIds(own, source)) {
    const row = await tx.db.selectFrom('agent_sessions').select('native_id').where('id', '=', id).executeTakeFirst()
    // A native id may itself look like a disambiguated one.
    if (row !== undefined && sessionId(source, row.native_id) === plain) found.set(row.native_id, id)
  }
  return found
}

/** Native ids of sessions that this unit gave under a disambiguated id and that were forgotten. */
export function forgottenDisambiguated({ source, own, disambiguated }: UnitSessions, tombstones: Tombstones): Set<string> {
  const natives = [...disambiguatedIds(own, source)].flatMap(([id, plain]) =>
    tombstones.holds('session', id) ? [plain.slice(sessionId(source, '').length)] : [],
  )
  return new Set(natives.filter((native) => !disambiguated.has(native)))
}

/** The disambiguated id under which this unit gave the session of a record before. */
export function disambiguatedIdOf({ source, disambiguated }: UnitSessions, record: AgentRecord): string | undefined {
  const { session } = record
  const id = session === undefined ? undefined : disambiguated.get(session)
  if (id === undefined || record.type !== 'session' || !record.weakName) return id
  // A file that was rewritten may hold another session: its first record tells.
  return id === disambiguatedSessionId(sessionId(source, record.session), record.firstHash) ? id : undefined
}

/** A unit that gave the plain id first means that session. */
function* disambiguatedIds(own: ReadonlySet<string>, source: string): Generator<[id: string, plain: string], void, undefined> {
  const before = new Set<string>()
  for (const id of own) {
    const plain = id.startsWith(sessionId(source, '')) ? plainSessionId(id) : undefined
    if (plain !== undefined && !before.has(plain)) yield [id, plain]
    before.add(id)
  }
}
