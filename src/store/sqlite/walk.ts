import { setImmediate as pause } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { MnemonicError } from '../../core/error.ts'
import { codedRows } from './statements.ts'

const BREATH = 500

export async function* walkTable(
  reader: Database.Database,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Record<string, unknown>> {
  const named = [table, ...columns]
  if (named.some((name) => !/^[a-z_0-9]+$/.test(name))) throw new MnemonicError('INTERNAL', 'a table or column of that name is not walked')
  let seen = 0
  for (const row of codedRows(reader.prepare(`select ${columns.join(', ')} from ${table}`).iterate(), reader.name)) {
    yield row as Record<string, unknown>
    seen += 1
    if (seen % BREATH === 0) await pause()
  }
}

/** Engine-internal tables; their content is derived from other tables. */
const INTERNAL: Readonly<Record<string, string>> = {
  chunks_fts: 'an index over chunks: rows of chunks that are removed are taken out of it, overwritten (secure-delete)',
  chunks_fts_config: 'settings of the full-text index',
  chunks_fts_data: 'words of chunks; made anew by every forgetting',
  chunks_fts_docsize: 'numbers',
  chunks_fts_idx: 'words of chunks; made anew by every forgetting',
  chunks_vocab: 'a view of the full-text index',
  work_fts: 'an index over tool calls, without their text: words of calls that are removed leave it with every forgetting',
  work_fts_config: 'settings of the full-text index',
  work_fts_data: 'words of tool calls; merged anew, without what was removed, by every forgetting',
  work_fts_docsize: 'numbers',
  work_fts_idx: 'words of tool calls; merged anew by every forgetting',
  work_vocab: 'a view of the full-text index',
  sqlite_sequence: 'numbers',
  sqlite_stat1: 'numbers',
}

export function listTables(reader: Database.Database): { name: string; columns: string[] }[] {
  return entries(reader, "'table', 'view'").filter(({ name }) => !(name in INTERNAL))
}

/** Skips views and full-text tables: they hold nothing of their own. */
export async function* storedValues(reader: Database.Database): AsyncGenerator<unknown> {
  for (const { name, columns } of entries(reader, "'table'")) {
    if (/^(?:chunks|work)_/.test(name) && name in INTERNAL) continue
    for await (const row of walkTable(reader, name, columns)) yield* Object.values(row)
  }
}

export function schemaTexts(reader: Database.Database): string[] {
  const rows = reader.prepare('select name, sql from sqlite_master').raw().all() as (string | null)[][]
  return rows.flat().filter((text) => text !== null)
}

function entries(reader: Database.Database, types: string): { name: string; columns: string[] }[] {
  const names = reader.prepare(`select name from sqlite_master where type in (${types}) order by name`).pluck().all() as string[]
  const columnsOf = reader.prepare('select name from pragma_table_info(?)').pluck()
  return names.map((name) => ({ name, columns: columnsOf.all(name) as string[] }))
}
