/** Which sessions of a unit other units of the same adapter tell too: what one of them drops, another may still hold. */
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { WriteTx } from '../store/store.ts'
import type { SourceUnit } from './adapter.ts'
import { unitName } from './sync-state.ts'

/** Asked once a unit at most, and only where a session is told anew. A unit that is gone tells nothing any more. */
export function sharedSessions(adapter: string, unit: SourceUnit, own: readonly string[]): (tx: WriteTx) => Promise<ReadonlySet<string>> {
  let known: ReadonlySet<string> | undefined
  return async (tx) => {
    known ??= await othersTell(tx, adapter, unit, new Set(own))
    return known
  }
}

async function othersTell(tx: WriteTx, adapter: string, unit: SourceUnit, own: ReadonlySet<string>): Promise<Set<string>> {
  const { rows } = await sql<{ path: string; session: string }>`
    select s.path, own.value as session from sync_state s, json_each(s.carry_json, '$.own') own
    where s.adapter = ${adapter} and s.path <> ${unitName(unit)} and s.carry_json is not null`.execute(tx.db)
  return new Set(rows.filter(({ session, path }) => own.has(session) && existsSync(path)).map(({ session }) => session))
}
