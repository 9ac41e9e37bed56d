/** Which sessions of a unit other units of the same adapter tell too: what one of them drops, another may still hold. */
import { existsSync } from 'node:fs'
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
  const units = await tx.db
    .selectFrom('sync_state')
    .select(['path', 'carry_json'])
    .where('adapter', '=', adapter)
    .where('path', '<>', unitName(unit))
    .where('carry_json', 'is not', null)
    .execute()
  const shared = units.map(({ path, carry_json }) => {
    const told = (JSON.parse(carry_json as string) as { own?: readonly string[] }).own ?? []
    const both = told.filter((session) => own.has(session))
    return both.length > 0 && existsSync(path) ? both : []
  })
  return new Set(shared.flat())
}
