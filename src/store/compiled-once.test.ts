import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, it, vi } from 'vitest'
import { tempStore } from '../../test/helpers/store.ts'
import { compiledOnce } from './compiled-once.ts'
import type { Tables } from './tables.ts'

it('a query that was compiled once answers for the values of each call, and keeps its own constants', async () => {
  const store = await tempStore()
  let built = 0
  const add = compiledOnce((db, row: { key: string; value: string }) => db.insertInto('meta').values({ key: row.key, value: row.value }))
  const find = compiledOnce((db, { least, most }: { least: string; most: string }) => {
    built++
    return db
      .selectFrom('meta')
      .select('value')
      .where('key', '>=', least)
      .where('key', '<=', most)
      .where('value', '<>', 'hidden')
      .orderBy('key')
  })
  await store.write(async (tx) => {
    await add(tx.db, { key: 'k1', value: 'one' })
    await add(tx.db, { key: 'k2', value: 'two' })
    await add(tx.db, { key: 'k3', value: 'hidden' })
  })
  expect(await find(store.read, { least: 'k1', most: 'k3' })).toEqual([{ value: 'one' }, { value: 'two' }])
  expect(await find(store.read, { least: 'k2', most: 'k2' })).toEqual([{ value: 'two' }])
  await store.write(async (tx) => expect(await find(tx.db, { least: 'k3', most: 'k9' })).toEqual([]))
  expect(built).toBe(2) // once for the reader, once for the writer
  for (let i = 0; i < 3; i++) await find(store.read, { least: 'k1', most: 'k3' })
  expect(built).toBe(2)
})

it('a database of another engine gets the query in its own dialect', async () => {
  const store = await tempStore()
  const seen: string[] = []
  const other = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void seen.push(query.sql),
  })
  const find = compiledOnce((db, { key }: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', key))
  await find(store.read, { key: 'k' })
  await find(other, { key: 'k' })
  await find(store.read, { key: 'k' })
  expect(seen).toEqual(['select "value" from "meta" where "key" = $1'])
})

it('an engine that answers at once is asked directly, and gives the same rows and errors', async () => {
  const store = await tempStore()
  const find = compiledOnce((db, { key }: { key: string }) => db.selectFrom('meta').select('value').where('key', '=', key))
  const add = compiledOnce((db, row: { key: string; value: string }) => db.insertInto('meta').values({ key: row.key, value: row.value }))
  const through = vi.spyOn(store.read, 'executeQuery')
  await store.write(async (tx) => {
    expect(await add(tx.db, { key: 'k1', value: 'one' })).toEqual([])
    await expect(tx.attempt(() => add(tx.db, { key: 'k1', value: 'two' }))).rejects.toThrow(/UNIQUE/)
  })
  expect(await find(store.read, { key: 'k1' })).toEqual([{ value: 'one' }])
  expect(through).not.toHaveBeenCalled()
})
