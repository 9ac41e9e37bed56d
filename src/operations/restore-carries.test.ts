import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { spokenHome } from '../../test/helpers/spoken-home.ts'

it('copies that were made, what was spent and a forgetting under way are carried over; a publication of then is not', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const sql = (statement: string) => {
    const db = new Database(home.database)
    db.exec(statement)
    db.close()
  }
  sql(
    `insert into artifact_journal values ('session-end:t:1', 'session-end', 'main', 'jsonl:harbor', 't', 1, 'sanitize', '{"manifest":"m"}', 1, 1)`,
  )
  sql(`insert into llm_spend (day, provider, model, purpose, created_at) values ('2026-01-01', 'then', 'm', 'p', 1)`)
  const [file, later, exported] = ['kept.db', 'later.db', 'exported'].map((name) => join(home.root, name)) as [string, string, string]
  await mnemonic.safekeeping.backup(file)
  sql('delete from artifact_journal; delete from llm_spend')
  sql(`insert into llm_spend (day, provider, model, purpose, created_at) values ('2026-02-02', 'now', 'm', 'p', 2)`)
  await mnemonic.safekeeping.backup(later)
  await mnemonic.safekeeping.export({ dir: exported })
  sql(`insert into meta values ('forget_pending', '{"id":"begun","started_at":1,"selector":"match"}')`)

  const report = await mnemonic.safekeeping.restore(file)
  const one = async (query: string) => (await mnemonic.sql(query)).rows.flat()
  expect(await one('select provider from llm_spend')).toEqual(['now'])
  expect(await one('select count(*) from artifact_journal')).toEqual([0])
  expect(JSON.parse(String(await one("select value from meta where key = 'backups'")))).toEqual(
    expect.arrayContaining([file, later, report?.kept]),
  )
  expect(JSON.parse(String(await one("select value from meta where key = 'exports'")))).toContain(exported)
  expect(await one("select value from meta where key = 'forget_pending'")).toEqual([expect.stringContaining('begun')])
  expect(await mnemonic.resumeForgetting()).toMatchObject({ selector: 'match', reason: 'resumed' })
})

it('what is published is what is in the workspace: rows of files that are gone do not come back', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await mnemonic.artifacts.publish()
  const rows = async () => (await mnemonic.sql('select count(*) from artifacts')).rows.flat()[0]
  expect(await rows()).toBe(6)
  const file = join(home.root, 'kept.db')
  await mnemonic.safekeeping.backup(file)
  const memory = join(home.root, 'workspace', 'memory')
  for (const name of readdirSync(memory)) if (name.includes('--')) rmSync(join(memory, name))
  await mnemonic.safekeeping.restore(file)
  expect(await rows()).toBe(0)
})
