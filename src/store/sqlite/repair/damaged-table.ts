import Database from 'better-sqlite3'
import type { SalvagedTable } from '../../database-file.ts'
import { isDamage } from '../storage-error.ts'
import type { PageFile, StoredRow } from './pages.ts'

interface Shape {
  readonly root: number
  /** In record order, which may differ from the schema. */
  readonly columns: readonly string[]
  readonly hasRowid: boolean
  /** Set if a column aliases the rowid; otherwise `keyIndex` names the index of the text key. */
  readonly rowidColumn: string | undefined
  readonly keyIndex: string | undefined
  readonly key: string
  /** Lower-cased, parallel to `columns`. */
  readonly types: readonly string[]
  readonly keys: readonly string[]
  /** Value of a column in rows written before it was added. */
  readonly defaults: readonly unknown[]
}

const MOST_NAMES = 1000

export function readDamagedTable(db: Database.Database, name: string, pages: PageFile): SalvagedTable {
  const shape = shapeOf(db, name)
  if (shape === undefined) return { name, kept: 0, lost: null, names: [] }
  const { columns, root, hasRowid } = shape
  const before = idsInIndex(pages.path, name, shape)
  const put = inserter(db, name, shape, before && new Set(before))
  for (const row of pages.table(root, columns.length)) put(row)
  // If an interior page is lost, its leaves are unreachable: look among pages that no table owns.
  if (pages.damageOf(root).interior)
    for (const page of pages.orphans(rootsOf(db), hasRowid)) for (const row of pages.leaf(page, columns.length)) put(row)
  const kept = db.prepare(`select count(*) from main.${name}`).pluck().get() as number
  if (before === undefined) return { name, kept, lost: null, names: [] }
  const has = db.prepare(`select 1 from main.${name} where "${shape.key}" = ?`)
  const lost = before.filter((id) => has.get(id) === undefined)
  return { name, kept, lost: lost.length, names: lost.slice(0, MOST_NAMES).map(String) }
}

function shapeOf(db: Database.Database, name: string): Shape | undefined {
  const schema = 'select rootpage from damaged.sqlite_master where name = ?'
  const root = db.prepare(schema).pluck().get(name) as number | undefined
  if (root === undefined) return undefined
  const info = db.prepare("select name, type, dflt_value, pk from pragma_table_info(?, 'damaged') order by cid").all(name) as Column[]
  const hasRowid = db.prepare("select wr from pragma_table_list where schema = 'damaged' and name = ?").pluck().get(name) === 0
  const keys = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const ordered = hasRowid ? info : [...keys, ...info.filter(({ pk }) => pk === 0)]
  const isRowid = hasRowid && keys.length === 1 && keys[0]?.type.toLowerCase() === 'integer'
  const index = `sqlite_autoindex_${name}_1`
  return {
    ...{ root, hasRowid, columns: ordered.map((column) => column.name), key: keys[0]?.name ?? '' },
    rowidColumn: isRowid ? keys[0]?.name : undefined,
    keyIndex: keys.length === 1 && db.prepare(schema).pluck().get(index) !== undefined ? index : undefined,
    types: ordered.map(({ type }) => type.toLowerCase()),
    keys: keys.map((column) => column.name),
    defaults: ordered.map(({ dflt_value }) => (dflt_value === null ? null : db.prepare(`select ${dflt_value}`).pluck().get())),
  }
}

interface Column {
  readonly name: string
  readonly type: string
  readonly dflt_value: string | null
  readonly pk: number
}

function inserter(
  db: Database.Database,
  name: string,
  { columns, types, keys, key, hasRowid, rowidColumn, defaults }: Shape,
  ids: ReadonlySet<unknown> | undefined,
): (row: StoredRow) => void {
  const list = columns.map((column) => `"${column}"`).join(', ')
  const rowid = hasRowid && rowidColumn === undefined ? ['rowid, ', '?, '] : ['', '']
  const insert = db.prepare(`insert into main.${name} (${rowid[0]}${list}) values (${rowid[1]}${columns.map(() => '?').join(', ')})`)
  return ({ rowid: id, values }) => {
    const row = columns.map((column, i) => (column === rowidColumn ? id : i < values.length ? values[i] : defaults[i]))
    // Leftovers of an overwritten page can look like a row: SQLite accepts any type in any column, and null in a text key.
    if (row.some((value, i) => !suits(value, types[i]) || (value === null && keys.includes(columns[i] as string)))) return
    if (ids !== undefined && !ids.has(row[columns.indexOf(key)])) return
    try {
      insert.run(...(rowid[0] === '' ? row : [id, ...row]))
    } catch (error) {
      // A leftover row that violates the schema counts as lost.
      if (!isDamage(error)) throw error
    }
  }
}

function suits(value: unknown, type: string | undefined): boolean {
  if (value === null || value === undefined) return true
  if (type === 'text') return typeof value === 'string'
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value)
  return true
}

/** A text key's index still lists lost rows. Undefined if there is no readable index. */
function idsInIndex(path: string, name: string, { keyIndex, key }: Shape): unknown[] | undefined {
  if (keyIndex === undefined) return undefined
  const db = new Database(path, { readonly: true })
  try {
    return db.prepare(`select "${key}" from ${name} indexed by ${keyIndex} order by "${key}"`).pluck().all()
  } catch (error) {
    if (!isDamage(error)) throw error
    return undefined
  } finally {
    db.close()
  }
}

function rootsOf(db: Database.Database): number[] {
  return [1, ...(db.prepare('select rootpage from damaged.sqlite_master where rootpage > 0').pluck().all() as number[])]
}
