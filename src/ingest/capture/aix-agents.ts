/**
 * Another agents ledger: a SQLite file with `agent_sessions`, `agent_messages`, `agent_turns` and `agent_tool_calls`, such as another
 * Mnemonic's. Its sessions keep their sources and ids, so that the histories of two machines become one. Reads, never writes.
 */

import type { Adapter, DiscoverOptions, SourceUnit } from '../adapter.ts'
import { databaseUnit } from '../database-unit.ts'
import { walk } from '../walk.ts'
import { missingTables, readLedger } from './aix-agents/read-ledger.ts'

export interface AixAgentsOptions {
  /** Files or folders; there is no default place. */
  readonly places?: readonly string[]
  /** Our own database: it is never read as a source. */
  readonly own?: string
}

const HEADER = 'SQLite format 3\0'
/** "MNEM" at the place where a database says whose it is. */
const OURS = 0x4d4e454d

export function aixAgents({ places = [], own }: AixAgentsOptions = {}): Adapter {
  return {
    name: 'aix-agents',
    reads: 1,
    rewritten: true,
    fills: true,
    places: () => places,
    discover: (asked) => discover(places, asked, own),
    recognises,
    knows: (database) => missingTables(database).length === 0,
    read: readLedger,
  }
}

async function* discover(
  places: readonly string[],
  { path, warn }: DiscoverOptions,
  own: string | undefined,
): AsyncGenerator<SourceUnit, void, undefined> {
  for (const root of path === undefined ? places : [path]) {
    for await (const { path: file } of walk(root, { accept: (name) => /\.(db|sqlite3?)$/i.test(name), warn })) {
      const unit = file === own ? undefined : databaseUnit(file)
      if (unit !== undefined) yield unit
    }
  }
}

function recognises(head: Buffer): boolean {
  if (head.length < 100 || head.toString('latin1', 0, 16) !== HEADER) return false
  return head.readUInt32BE(68) === OURS || /create table (if not exists )?["`[]?agent_sessions/i.test(head.toString('latin1'))
}
