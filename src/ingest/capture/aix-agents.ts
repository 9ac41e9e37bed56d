/**
 * Another agents ledger: a SQLite file with `agent_sessions`, `agent_messages`, `agent_turns` and `agent_tool_calls`, such as another
 * Mnemonic's. Its sessions keep their sources and ids, so that the histories of two machines become one. Reads, never writes.
 */
import type { Adapter, DiscoverOptions, SourceUnit } from '../adapter.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { sourceFiles } from '../walk.ts'
import { missingTables, readLedger } from './aix-agents/read-ledger.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'

export interface AixAgentsOptions extends SourceOptions {
  /** Our own database: it is never read as a source. */
  readonly own?: string
}

/** "MNEM", at the offset of SQLite's application id. */
const OURS = 0x4d4e454d

export function aixAgents({ own, ...options }: AixAgentsOptions = {}): Adapter {
  const description = describeSource('aix-agents', options)
  return {
    ...description,
    discover: (asked) => discover(description.defaultPaths(), asked, own),
    recognises,
    recognisesDatabase: (database) => missingTables(database).length === 0,
    read: readLedger,
  }
}

async function* discover(
  roots: readonly string[],
  asked: DiscoverOptions,
  own: string | undefined,
): AsyncGenerator<SourceUnit, void, undefined> {
  for await (const { path } of sourceFiles(roots, asked, (name) => /\.(db|sqlite3?)$/i.test(name))) {
    const unit = path === own ? undefined : databaseUnit(path)
    if (unit !== undefined) yield unit
  }
}

function recognises(head: Buffer): boolean {
  if (head.length < 100 || !isSqlite(head)) return false
  return head.readUInt32BE(68) === OURS || /create table (if not exists )?["`[]?agent_sessions/i.test(head.toString('latin1'))
}
