import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { openPages } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemonic-pages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PAGE = 1024
const ROWS = 3000

it('loses only its own rows with the root of a table without rowids: rows stand above the leaves, too', () => {
  const path = join(folder, 'a.db')
  const db = new Database(path)
  db.pragma(`page_size = ${PAGE}`)
  db.exec('create table notes (name text primary key, said text) without rowid; create table other (id integer primary key, said text)')
  const add = db.prepare('insert into notes values (?, ?)')
  for (let n = 0; n < ROWS; n++) add.run(`name-${n}`, `said ${n} ${'x'.repeat(60)}`)
  const root = db.prepare("select rootpage from sqlite_master where name = 'notes'").pluck().get() as number
  const roots = db.prepare('select rootpage from sqlite_master where rootpage > 0').pluck().all() as number[]
  const inner = db.prepare("select count(*) from dbstat where name = 'notes' and pagetype = 'internal'").pluck().get() as number
  const own = db.prepare("select ncell from dbstat where name = 'notes' and pageno = ?").pluck().get(root) as number
  db.close()
  expect(inner).toBeGreaterThan(1)
  writeSync(openSync(path, 'r+'), Buffer.alloc(PAGE), 0, PAGE, (root - 1) * PAGE)

  const pages = openPages(path)
  const rows = pages.orphans([1, ...roots], false).flatMap((page) => pages.leaf(page, 2))
  pages.close()
  expect(new Set(rows.map(({ values }) => values[0])).size).toBe(ROWS - own)
})
