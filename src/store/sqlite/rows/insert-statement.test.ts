import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { insertStatement } from './insert-statement.ts'

function table() {
  const db = new Database(':memory:')
  db.exec("create table t (id integer primary key, name text unique, kind text not null default 'plain', size integer)")
  return { db, all: () => db.prepare('select id, name, kind, size from t order by id').raw().all() }
}

it.each([0, 1, 2, 7, 64, 100, 129])('puts %i rows in, in their order, whatever one statement takes', (count) => {
  const { db, all } = table()
  const rows = Array.from({ length: count }, (_, i) => ({ name: `n${i}`, size: i === 3 ? null : i }))
  expect(insertStatement(db, 't', { atOnce: 64 })(rows)).toBe(count)
  expect(all()).toEqual(rows.map(({ name, size }, i) => [i + 1, name, 'plain', size]))
})

it('takes rows of other columns in another call', () => {
  const { db, all } = table()
  const insert = insertStatement(db, 't', { atOnce: 4 })
  insert([{ name: 'a', size: 1 }])
  insert([{ kind: 'other', name: 'b' }])
  expect(all()).toEqual([
    [1, 'a', 'plain', 1],
    [2, 'b', 'other', null],
  ])
})

it('refuses a row that is there already, or leaves it as it is', () => {
  const { db, all } = table()
  insertStatement(db, 't', { atOnce: 4 })([{ name: 'a', size: 1 }])
  expect(() => insertStatement(db, 't', { atOnce: 4 })([{ name: 'a', size: 2 }])).toThrow(/UNIQUE/)
  insertStatement(db, 't', { atOnce: 4, keepOld: true })([
    { name: 'a', size: 3 },
    { name: 'b', size: 4 },
  ])
  expect(all().map((row) => (row as unknown[])[3])).toEqual([1, 4])
})
