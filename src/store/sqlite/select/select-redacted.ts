import { MnemonicError } from '../../../core/error.ts'
import { openRedacted, type RedactCell, SCHEMA_VIEW } from './redacted-views.ts'
import { type Selected, select, sqlRefused } from './select.ts'
import { sqlTokens } from './sql-tokens.ts'

export interface RedactedOptions {
  readonly limit: number
  readonly redact: RedactCell
  readonly agent?: string
}

export function selectRedacted(path: string, sql: string, { limit, redact, agent }: RedactedOptions): Selected {
  const { db, hidden, speak } = openRedacted(path, redact, agent)
  try {
    const selected = select(db, readable(sql, hidden), limit)
    // A query plan names the underlying tables.
    return { ...selected, rows: selected.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? speak(cell) : cell))) }
  } catch (error) {
    if (!(error instanceof MnemonicError) || error.code !== 'SQL_REFUSED') throw error
    throw sqlRefused(speak(error.message.replace(/^this SQL was not run: /, '')))
  } finally {
    db.close()
  }
}

/** SQLite tables with samples of our data, and functions that reveal the file path. */
const INTERNAL_TEXT = /^(?:sqlite_(?:sequence|stat\d|temp_\w+|dbpage|stmt)|pragma_(?!table_x?info$)\w+)$/
const ALLOWED = new Set(['sqlite_version', 'pragma_table_info', 'pragma_table_xinfo'])

/** Rewrites `sqlite_master` to our view. Rejects every other internal name. */
function readable(sql: string, hidden: ReadonlySet<string>): string {
  let out = ''
  let from = 0
  for (const { kind, value, start, end } of sqlTokens(sql)) {
    if (kind === 'other') continue
    if (kind === 'name' && (value === 'sqlite_master' || value === 'sqlite_schema')) {
      out += sql.slice(from, start) + SCHEMA_VIEW
      from = end
    } else if (kind === 'text' ? INTERNAL_TEXT.test(value) : /^(?:sqlite|pragma)_/.test(value) && !ALLOWED.has(value)) {
      throw sqlRefused(`${value} is not open to queries`)
    } else if (kind === 'name' && hidden.has(value)) {
      throw sqlRefused(`${value} belongs to the full-text index; its text stands in chunks, and mnemonic search asks it`)
    }
  }
  return out + sql.slice(from)
}
