/** Imports another agents ledger (SQLite), such as another machine's. Sessions keep their source and id, so histories merge. */
import type { Adapter, DiscoverOptions, SourceUnit } from '../adapter.ts'
import { databaseUnit, isSqlite } from '../database-unit.ts'
import { sourceFiles } from '../walk.ts'
import { missingTables, readLedger } from './aix-agents/read-ledger.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'

export interface AixAgentsOptions extends SourceOptions {
  readonly own?: string
}

/** "MNEM", SQLite's application id. */
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
