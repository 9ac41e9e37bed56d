/** Checks that only the engine can make: versions, extensions, whether the file is whole. */
import type Database from 'better-sqlite3'
import type { EngineCheck } from '../store.ts'

export function diagnose(reader: Database.Database, writer: Database.Database): EngineCheck[] {
  const one = (sql: string) => String(Object.values(reader.prepare(sql).get() as object)[0])
  return [
    { name: 'sqlite', ok: true, found: `SQLite ${one('select sqlite_version()')}` },
    { name: 'fts5', ok: one("select sqlite_compileoption_used('ENABLE_FTS5')") === '1', found: 'full-text search (FTS5)' },
    { name: 'sqlite-vec', ok: true, found: `sqlite-vec ${one('select vec_version()')}` },
    whole('integrity', 'the file is whole', () => {
      const found = reader.pragma('quick_check(5)', { simple: false }) as { quick_check: string }[]
      return found.map((row) => row.quick_check).filter((line) => line !== 'ok')
    }),
    whole('full-text index', 'it agrees with the chunks', () => {
      writer.exec("insert into chunks_fts (chunks_fts, rank) values ('integrity-check', 1)")
      return []
    }),
  ]
}

function whole(name: string, found: string, check: () => string[]): EngineCheck {
  let trouble: string[]
  try {
    trouble = check()
  } catch (error) {
    trouble = [error instanceof Error ? error.message : String(error)]
  }
  if (trouble.length === 0) return { name, ok: true, found }
  const hint = name === 'integrity' ? 'Restore a backup; until then the ledger may be incomplete.' : 'Rebuild it: mnemonic index --all'
  return { name, ok: false, found: trouble.join('; '), hint }
}
