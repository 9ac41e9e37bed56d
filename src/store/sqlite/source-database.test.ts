import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { tempFolder } from '../../../test/helpers/store.ts'
import { LARGEST_RECORD } from '../../core/largest-record.ts'
import { openSourceDatabase } from './source-database.ts'

function filled(path: string): Database.Database {
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.exec("create table t (a text, b blob); insert into t values ('one', x'00ff')")
  return db
}

it('sees what a running application has written and not yet checkpointed', () => {
  const path = join(tempFolder(), 'live.db')
  const app = filled(path)
  const db = openSourceDatabase(path)
  app.exec("insert into t values ('two', null)")
  expect([...db.rows<{ a: string }>('select a from t order by rowid')].map(({ a }) => a)).toEqual(['one', 'two'])
  expect(db.first<{ b: Buffer }>('select b from t')?.b).toEqual(Buffer.from([0, 255]))
  expect(db.tables()).toEqual(new Set(['t']))
  expect([...db.columns('t')]).toEqual(['a', 'b'])
  expect(db.columns('nothing').size).toBe(0)
  db.close()
  app.close()
})

it('leaves no file beside a database whose application is gone, and reads the log it left', () => {
  const from = tempFolder()
  const app = filled(join(from, 'x.db'))
  const left = tempFolder()
  const path = join(left, 'x.db')
  copyFileSync(join(from, 'x.db'), path)
  copyFileSync(join(from, 'x.db-wal'), `${path}-wal`)
  app.close()
  const db = openSourceDatabase(path)
  expect(db.first<{ n: number }>('select count(*) as n from t')?.n).toBe(1)
  expect(readdirSync(left).sort()).toEqual(['x.db', 'x.db-wal'])
  db.close()
  expect(readdirSync(left).sort()).toEqual(['x.db', 'x.db-wal'])
})

it('takes back, in a copy, what an application left half written when it died; nothing beside the file changes', () => {
  const from = tempFolder()
  const app = new Database(join(from, 'x.db'))
  app.exec('create table t (a text); pragma cache_size = 2')
  app.prepare("insert into t values ('before')").run()
  app.exec('begin')
  for (let i = 0; i < 200; i++) app.prepare('insert into t values (?)').run('x'.repeat(500))
  const left = tempFolder()
  const path = join(left, 'x.db')
  for (const log of ['', '-journal']) copyFileSync(join(from, `x.db${log}`), `${path}${log}`)
  app.close()
  const bytes = readFileSync(path)
  const scratch = tempFolder()
  const db = openSourceDatabase(path, scratch)
  expect([...db.rows<{ a: string }>('select a from t')]).toEqual([{ a: 'before' }])
  db.close()
  expect(readFileSync(path)).toEqual(bytes)
  expect(readdirSync(left).sort()).toEqual(['x.db', 'x.db-journal'])
  expect(readdirSync(scratch)).toEqual([])
})

it('says in words that another program holds the file', () => {
  const path = join(tempFolder(), 'x.db')
  const app = new Database(path)
  app.exec('create table t (a text); begin exclusive')
  expect(() => openSourceDatabase(path, tempFolder(), 1)).toThrowError(
    expect.objectContaining({ code: 'SOURCE_UNREADABLE', message: expect.stringContaining('another program holds it') }),
  )
  app.close()
})

it('cannot write', () => {
  const path = join(tempFolder(), 'x.db')
  filled(path).close()
  const db = openSourceDatabase(path)
  expect(() => [...db.rows("insert into t values ('x', null) returning a")]).toThrow()
  db.close()
})

it('says what is no database, what is damaged and what is not there', () => {
  const at = tempFolder()
  writeFileSync(join(at, 'text.db'), 'only text, and more than a hundred bytes of it. '.repeat(20))
  expect(() => openSourceDatabase(join(at, 'text.db'))).toThrowError(expect.objectContaining({ code: 'NOT_THIS_FORMAT' }))
  expect(() => openSourceDatabase(join(at, 'none.db'))).toThrowError(expect.objectContaining({ code: 'SOURCE_UNREADABLE' }))
  expect(existsSync(join(at, 'none.db'))).toBe(false)
})

it('a row with a value larger than a record may be is passed over by name, without being read; its neighbours come in order', () => {
  const path = join(tempFolder(), 'large.db')
  const db = new Database(path)
  db.exec(`create table said (id text primary key, n integer, text text);
    insert into said values ('a', 1, 'first'), ('b', 2, hex(zeroblob(${LARGEST_RECORD / 2 + 1}))), ('c', 3, 'last');`)
  db.close()
  const source = openSourceDatabase(path)
  expect([...source.rows('select * from said where n > ? order by n desc', 0)]).toEqual([
    { id: 'c', n: 3, text: 'last' },
    { id: 'a', n: 1, text: 'first' },
  ])
  expect(source.first('select text from said where id = ?', 'b')).toBeUndefined()
  expect(source.first('select id, octet_length(text) as bytes from said where id = ?', 'b')).toEqual({ id: 'b', bytes: LARGEST_RECORD + 2 })
  expect(source.passedOver).toEqual(['the row with id b holds a value longer than 64 MB', 'a row holds a value longer than 64 MB'])
  source.close()
})
