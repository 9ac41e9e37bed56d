import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { runSql } from './sql.ts'

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
let folder: string
let store: Store

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-sql-'))
  store = await openSqlite({ path: join(folder, 'm.db'), clock: () => 1 })
  await store.write((tx) =>
    tx.db
      .insertInto('meta')
      .values([
        { key: 'plain', value: `token ${TOKEN} here` },
        { key: 'json', value: JSON.stringify({ note: { text: `a\n${TOKEN}\nb` } }) },
      ])
      .execute(),
  )
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const numbers = (n: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${n}) select i from n`

describe('runSql', () => {
  it('gives columns and rows', async () => {
    expect(await runSql(store, "select 1 as one, 'x' as two, null as three")).toEqual({
      columns: ['one', 'two', 'three'],
      rows: [[1, 'x', null]],
      truncated: false,
    })
  })

  it('redacts every cell, also inside JSON', async () => {
    const { rows } = await runSql(store, "select value from meta where key in ('plain', 'json') order by key desc")
    expect(JSON.stringify(rows)).not.toContain(TOKEN)
    expect(rows[0]?.[0]).toMatch(/^token \[REDACTED:[^\]]+\] here$/)
    expect(JSON.parse(String(rows[1]?.[0])).note.text).toMatch(/^a\n\[REDACTED:[^\]]+\]\nb$/)
  })

  it('names the size of a blob in place of its bytes', async () => {
    expect((await runSql(store, 'select zeroblob(1536)')).rows).toEqual([['<blob 1536 bytes>']])
    expect((await runSql(store, 'select cast(value as blob) from meta')).rows.flat().join()).not.toContain('token')
  })

  it('gives numbers that JSON can carry', async () => {
    const { rows } = await runSql(store, 'select 9e999, 1.5, 42')
    expect(JSON.parse(JSON.stringify(rows))).toEqual([['Infinity', 1.5, 42]])
  })

  it('stops at 100 rows, or at the limit, and says so', async () => {
    const byDefault = await runSql(store, numbers(101))
    expect([byDefault.rows.length, byDefault.truncated]).toEqual([100, true])
    const exact = await runSql(store, numbers(7), { limit: 7 })
    expect([exact.rows.length, exact.truncated]).toEqual([7, false])
    const most = await runSql(store, numbers(10_001), { limit: 10_000 })
    expect([most.rows.length, most.truncated]).toEqual([10_000, true])
  })

  it('refuses a limit that makes no sense', async () => {
    for (const limit of [0, -1, 2.5, 10_001, Number.NaN]) {
      await expect(runSql(store, 'select 1', { limit })).rejects.toMatchObject({ code: 'USAGE' })
    }
  })

  it.each([
    'delete from meta',
    'update meta set value = 1',
    'drop table meta',
    'select 1; select 2',
    'pragma user_version',
    'nonsense',
    '',
  ])('refuses %j and changes nothing', async (query) => {
    await expect(runSql(store, query)).rejects.toMatchObject({ code: 'SQL_REFUSED' })
    expect((await runSql(store, "select count(*) from meta where key in ('plain', 'json')")).rows).toEqual([[2]])
  })
})
