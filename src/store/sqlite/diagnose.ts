import type Database from 'better-sqlite3'
import type { EngineCheck, QuickFaults } from '../store.ts'
import { isDamage } from './storage-error.ts'

/** Without a writer, the full-text index cannot be compared with the chunks. */
export function diagnose(reader: Database.Database, writer?: Database.Database): EngineCheck[] {
  const one = (sql: string) => String(Object.values(reader.prepare(sql).get() as object)[0])
  return [
    { name: 'sqlite', ok: true, found: `SQLite ${one('select sqlite_version()')}` },
    { name: 'fts5', ok: one("select sqlite_compileoption_used('ENABLE_FTS5')") === '1', found: 'full-text search (FTS5)' },
    { name: 'sqlite-vec', ok: true, found: `sqlite-vec ${one('select vec_version()')}` },
    whole('integrity', 'the file is whole', () => {
      const found = reader.pragma('quick_check(5)', { simple: false }) as { quick_check: string }[]
      return found.map((row) => row.quick_check).filter((line) => line !== 'ok')
    }),
    whole('full-text index', writer ? 'it agrees with the chunks' : 'not compared with the chunks: the database cannot be written', () => {
      writer?.exec("insert into chunks_fts (chunks_fts, rank) values ('integrity-check', 1)")
      writer?.exec("insert into work_fts (work_fts) values ('integrity-check')")
      return []
    }),
  ]
}

const MOST_ROWS = 500_000

/** Highest ratio of wall time to processor time: a busy machine still checks as many tables as an idle one. */
const MOST_WAITING = 4

/** Checks tables in random order within a CPU budget, so repeated runs cover a large file. */
export function quickFaults(reader: Database.Database, budgetMs: number): QuickFaults {
  const tables = reader
    .prepare("select name, wr from pragma_table_list where schema = 'main' and type in ('table', 'shadow') order by random()")
    .all() as { name: string; wr: number }[]
  const [cpu, deadline] = [process.cpuUsage(), performance.now() + MOST_WAITING * budgetMs]
  const isOver = () => process.cpuUsage(cpu).user / 1000 > budgetMs || performance.now() > deadline
  let looked = 0
  const faults: string[] = []
  for (const { name, wr } of tables) {
    if (isOver()) break
    try {
      if (wr === 0 && rowsAbout(reader, name) > MOST_ROWS) continue
      looked += 1
      const found = reader.pragma(`quick_check("${name}")`, { simple: true }) as string
      if (found !== 'ok') faults.push(`${name}: ${found}`)
    } catch (error) {
      if (!isDamage(error)) throw error
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { looked, of: tables.length, faults }
}

/** Ids in FTS data tables are not counts; the index table has one row per page. */
function rowsAbout(reader: Database.Database, name: string): number {
  const sql = name.endsWith('_fts_data')
    ? `select count(*) from "${name.replace(/_data$/, '_idx')}"`
    : `select coalesce(max(rowid), 0) from "${name}"`
  return Number(reader.prepare(sql).pluck().get())
}

function whole(name: string, found: string, check: () => string[]): EngineCheck {
  let trouble: string[]
  try {
    trouble = check()
  } catch (error) {
    trouble = [error instanceof Error ? error.message : String(error)]
  }
  if (trouble.length === 0) return { name, ok: true, found }
  const hint =
    'Run mnemonic doctor --repair: it saves what can be read, makes the rest again, and says what is lost before it changes anything.'
  return { name, ok: false, found: trouble.join('; '), hint }
}
