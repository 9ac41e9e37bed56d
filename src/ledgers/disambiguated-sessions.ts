/**
 * Two sessions may share a native id; the second gets an id with its first record's hash. A resumed unit lacks that record, so its earlier
 * ids decide.
 */
import { disambiguatedSessionId, plainSessionId, sessionId } from '../core/ids.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tombstones } from '../tombstones/tombstones.ts'
import type { AgentRecord } from './agent-record.ts'

export interface UnitSessions {
  readonly source: string
  readonly own: ReadonlySet<string>
  /** Native id → disambiguated id in the ledger. */
  readonly disambiguated: ReadonlyMap<string, string>
}

export async function readDisambiguated(tx: WriteTx, { source, own }: Omit<UnitSessions, 'disambiguated'>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [id, plain] of disambiguatedIds(own, source)) {
    const row = await tx.db.selectFrom('agent_sessions').select('native_id').where('id', '=', id).executeTakeFirst()
    // A native id may itself look disambiguated.
    if (row !== undefined && sessionId(source, row.native_id) === plain) found.set(row.native_id, id)
  }
  return found
}

export function forgottenDisambiguated({ source, own, disambiguated }: UnitSessions, tombstones: Tombstones): Set<string> {
  const natives = [...disambiguatedIds(own, source)].flatMap(([id, plain]) =>
    tombstones.holds('session', id) ? [plain.slice(sessionId(source, '').length)] : [],
  )
  return new Set(natives.filter((native) => !disambiguated.has(native)))
}

export function disambiguatedIdOf({ source, disambiguated }: UnitSessions, record: AgentRecord): string | undefined {
  const { session } = record
  const id = session === undefined ? undefined : disambiguated.get(session)
  if (id === undefined || record.type !== 'session' || !record.weakName) return id
  // A rewritten file may hold another session: its first record decides.
  return id === disambiguatedSessionId(sessionId(source, record.session), record.firstHash) ? id : undefined
}

/** A unit that used the plain id first means that session. */
function* disambiguatedIds(own: ReadonlySet<string>, source: string): Generator<[id: string, plain: string], void, undefined> {
  const before = new Set<string>()
  for (const id of own) {
    const plain = id.startsWith(sessionId(source, '')) ? plainSessionId(id) : undefined
    if (plain !== undefined && !before.has(plain)) yield [id, plain]
    before.add(id)
  }
}
