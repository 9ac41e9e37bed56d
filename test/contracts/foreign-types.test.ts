/** Databases of other programs hold whatever they like: a value of another type costs its row, and is no fault of ours. */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { syncSources } from '../../src/ingest/sync.ts'
import type { SampleSource } from '../helpers/sample-source.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const WRONG: readonly (Buffer | number | string | null)[] = [Buffer.from('ff00fe', 'hex'), 12_345, 1.5, 'abc', '[1, {"a": 2}]', null]
const DATABASES = SAMPLE_SOURCES.filter(({ kind }) => kind === 'database')

/** The sample with columns of no type, so that any value stays what it is. */
function untyped(path: string): { table: string; columns: string[] }[] {
  for (const log of ['-wal', '-shm']) if (existsSync(path + log)) new Database(path).close()
  const db = new Database(path)
  db.pragma('journal_mode = delete')
  db.pragma('foreign_keys = off')
  db.pragma('legacy_alter_table = on')
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").pluck().all() as string[]
  const shapes = tables.map((table) => ({
    table,
    columns: db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[],
  }))
  for (const { table, columns } of shapes) {
    db.exec(`create table "${table}_" (${columns.map((name) => `"${name}"`).join(', ')}); insert into "${table}_" select * from "${table}";
      drop table "${table}"; alter table "${table}_" rename to "${table}"`)
  }
  const filled = shapes.filter(({ table }) => db.prepare(`select 1 from "${table}" limit 1`).get() !== undefined)
  db.close()
  return filled
}

async function sync(source: SampleSource, folder: string) {
  const store = await tempStore()
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const { totals } = await syncSources({ store, adapters: [source.adapter(folder)], ...options })
  const codes = await store.read.selectFrom('quarantine').select(['code', 'reasons_json']).execute()
  const said = await store.read.selectFrom('agent_messages').select('content').execute()
  await store.close()
  return { totals, internal: codes.filter(({ code }) => code === 'INTERNAL'), said: said.map(({ content }) => content) }
}

describe.each(DATABASES.map((source) => [source.name, source] as const))('%s', (_, source) => {
  it('a value of another type in any column is no exception, and the other session arrives', async () => {
    const folder = tempFolder()
    const exchange = (n: number, at: number) => ({
      prompt: `Question ${n}: which harbour?`,
      answer: `Answer ${n}: the eastern one.`,
      at,
      tool: { name: 'read_file', params: { path: 'a.txt' }, result: 'east' },
    })
    const path = source.write(folder, 'one', [exchange(1, NOON - 2000), exchange(2, NOON - 1000)])
    source.write(folder, 'two', [exchange(3, NOON)])
    const shapes = untyped(path)
    const sound = join(tempFolder(), 'sound.db')
    copyFileSync(path, sound)
    const wrong: unknown[] = []
    let n = Number(process.env.MNEMONIC_WRONG_FROM ?? 0)
    for (const { table, columns } of shapes) {
      for (const column of columns) {
        copyFileSync(sound, path)
        const db = new Database(path)
        const value = WRONG[n++ % WRONG.length] ?? null
        db.prepare(`update "${table}" set "${column}" = ? where rowid = (select min(rowid) from "${table}")`).run(value)
        db.close()
        const { internal, said } = await sync(source, folder).catch((error: unknown) => ({ internal: [String(error)], said: [] }))
        if (internal.length > 0) wrong.push([table, column, value, internal])
        else if (said.length === 0) wrong.push([table, column, value, 'nothing arrived'])
      }
    }
    expect(wrong).toEqual([])
  })
})
