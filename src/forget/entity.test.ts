import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { found, from, named, observed, peopleOf, runOf, type Told, tell } from '../../test/helpers/graph-story.ts'
import { testHome } from '../../test/helpers/home.ts'
import { writeExtracted } from '../graph/write-extracted.ts'
import { openSqlite } from '../store/sqlite/open.ts'

const TOLD: readonly Told[] = [
  {
    id: 'm1',
    channel: 'gmail',
    from: ['robert.hale@work.example', 'Robert Hale'],
    says: 'Acme hired me in the summer of the great flood.',
  },
  { id: 'm2', channel: 'gmail', from: ['bob@home.example', 'Bob Hale'], says: 'I like the smell of Acme in the morning.' },
  { id: 'm3', channel: 'gmail', from: ['ann@work.example', 'Ann Lee'], says: 'Acme is where I work.' },
]

async function write(database: string): Promise<void> {
  const store = await openSqlite({ path: database, clock: () => 0 })
  for (const told of TOLD)
    await store.write(async (tx) => {
      const runId = await runOf(tx, await tell(tx, told))
      const [speaker] = peopleOf(told)
      const acme = named(told, 'Acme', 'company')
      if (speaker !== undefined)
        await writeExtracted(tx, from(told, { runId }), found([speaker, acme], [observed(told, speaker, 'KNOWS', acme)]))
    })
  await store.close()
}

it('the entity, what was merged into it, its aliases, observations and decisions go; a later run does not bring it back', async () => {
  const home = testHome()
  const mnemonic = await home.open()
  await mnemonic.status()
  await write(home.database)
  await mnemonic.entities.merge('Bob Hale', 'Robert Hale')
  await mnemonic.entities.alias('Robert Hale', 'Old Bob')
  const report = await mnemonic.forget({ entity: 'bob@home.example' })
  expect(report).toMatchObject({ still_held: [], removed: { entity: 2, event: 2 } })
  const names = async () => (await mnemonic.entities.list()).entities.map(({ name }) => name).sort()
  expect((await names()).filter((name) => /Hale|Bob/.test(name))).toEqual([])
  const rows = (sql: string) => {
    const db = new Database(home.database, { readonly: true })
    const all = db.prepare(sql).pluck().all()
    db.close()
    return all
  }
  expect(rows("select content from events where source_adapter = 'owner'")).toEqual([])
  expect(rows('select event_id from graph_decisions')).toEqual([])
  expect(rows("select value from entity_aliases where value like '%Bob%' or value like '%Hale%'")).toEqual([])
  // The mail itself stays.
  expect(rows("select count(*) from events where source_adapter = 'gmail'")).toEqual([3])
  await write(home.database)
  expect(await names()).toEqual(['Acme', 'Ann Lee'])
  expect(rows('select type from relationships')).toEqual(['KNOWS'])
})
