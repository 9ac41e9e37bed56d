import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { copyFreshDatabase } from '../../../test/helpers/fresh-database.ts'
import { NOON, tempFolder } from '../../../test/helpers/store.ts'
import { openSqlite } from './open.ts'

const clock = () => NOON
const asIs = (path: string) => openSqlite({ path, clock, asIs: true })

it('opens what is there and can write to it', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  copyFreshDatabase(path)
  const store = await asIs(path)
  await store.noteSearch({ agent_id: 'main', mode: 'lexical', hits: 0, latency_ms: 1, created_at: NOON, returned: [] })
  expect(await store.read.selectFrom('search_log').select('mode').execute()).toEqual([{ mode: 'lexical' }])
  await store.close()
})

it('creates nothing', async () => {
  const path = join(tempFolder(), 'none', 'mnemonic.db')
  await expect(asIs(path)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(existsSync(path)).toBe(false)
})

it('leaves an older schema as it is', async () => {
  const path = join(tempFolder(), 'mnemonic.db')
  copyFreshDatabase(path)
  const db = new Database(path)
  db.exec('delete from schema_migrations where name = (select max(name) from schema_migrations)')
  db.close()
  const before = readFileSync(path)
  await expect(asIs(path)).rejects.toMatchObject({ code: 'DATABASE_OLDER', details: { missing: 1 } })
  expect(readFileSync(path).equals(before)).toBe(true)
  rmSync(path)
})
