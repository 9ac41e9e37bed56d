/** Walks a whole table, some columns of it, without holding it in memory. Reads only, and lets others work between two pages. */
import { setImmediate as pause } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'

const BREATH = 500

export async function* walkTable(
  reader: Database.Database,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Record<string, unknown>> {
  const named = [table, ...columns]
  if (named.some((name) => !/^[a-z_0-9]+$/.test(name))) throw new MnemonicError('INTERNAL', 'a table or column of that name is not walked')
  let seen = 0
  for (const row of reader.prepare(`select ${columns.join(', ')} from ${table}`).iterate()) {
    yield row as Record<string, unknown>
    seen += 1
    if (seen % BREATH === 0) await pause()
  }
}

/** Every table, virtual table with its shadows, and view, with its columns. */
export function listTables(reader: Database.Database): { name: string; columns: string[] }[] {
  const tables = reader.prepare("select name from sqlite_master where type in ('table', 'view') order by name").pluck().all() as string[]
  return tables.map((name) => ({
    name,
    columns: reader.prepare('select name from pragma_table_info(?)').pluck().all(name) as string[],
  }))
}
