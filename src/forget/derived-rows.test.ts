import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { testHome } from '../../test/helpers/home.ts'

const line = (role: string, content: string) => `${JSON.stringify({ role, content, timestamp: '2026-02-05T10:30:00Z' })}\n`

it('no cached finding and no vector is left of a session that is forgotten, and all of the others', async () => {
  const home = testHome()
  const talk = (topic: string) =>
    line('user', `What about the ${topic} budget of the ${topic} project?`) + line('assistant', `We decided on a larger ${topic} budget.`)
  writeFileSync(join(home.logs, 'quartz.jsonl'), talk('quartz'))
  writeFileSync(join(home.logs, 'marble.jsonl'), talk('marble'))
  const mnemonic = await home.open({ embedder: fakeEmbedder() })
  await mnemonic.sync({ path: home.logs, adapters: ['jsonl'] })
  const count = (table: string) => {
    const db = new Database(home.database, { readonly: true })
    const rows = db.prepare(`select count(*) from ${table}`).pluck().get() as number
    db.close()
    return rows
  }
  const before = { extraction_cache: count('extraction_cache'), embeddings: count('embeddings') }
  expect(before.extraction_cache).toBeGreaterThanOrEqual(2)
  expect(before.embeddings).toBeGreaterThanOrEqual(2)
  await mnemonic.forget({ session: 'jsonl:quartz' })
  expect({ extraction_cache: count('extraction_cache'), embeddings: count('embeddings') }).toEqual({
    extraction_cache: before.extraction_cache / 2,
    embeddings: before.embeddings / 2,
  })
})

it('published files of a forgotten session that somebody puts back are not taken up again', async () => {
  const home = testHome()
  writeFileSync(join(home.logs, 'quartz.jsonl'), line('user', 'Where is the quartz mined these days?') + line('assistant', 'In the north.'))
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false })
  await mnemonic.artifacts.publish()
  const memory = join(home.root, 'workspace', 'memory')
  const published = new Map(readdirSync(memory).flatMap((name) => (name.includes('--') ? [[name, readFileSync(join(memory, name))]] : [])))
  expect(published.size).toBe(3)
  await mnemonic.forget({ session: 'jsonl:quartz' })
  expect(readdirSync(memory).filter((name) => published.has(name))).toEqual([])
  for (const [name, bytes] of published) writeFileSync(join(memory, name), bytes)
  expect(await mnemonic.artifacts.reindex()).toMatchObject({ checked: 3, repaired: 0, fenced: 3 })
  expect((await mnemonic.sql('select count(*) from artifacts')).rows).toEqual([[0]])
})

it('a document that a person wrote is counted once, and its mirror, its index and the state of its source go with it', async () => {
  const home = testHome()
  const notes = join(home.root, 'workspace', 'notes.md')
  const mnemonic = await home.open()
  mkdirSync(dirname(notes), { recursive: true })
  writeFileSync(notes, 'The quartz is mined in the north.')
  await mnemonic.sync({ adapters: ['memory'], embed: false })
  const rows = async () =>
    (
      await mnemonic.sql(
        "select path from documents union all select path from files union all select path from sync_state where adapter = 'memory'",
      )
    ).rows
  expect(await rows()).toHaveLength(3)
  expect((await mnemonic.forget({ match: 'quartz' })).removed).toMatchObject({ document: 1 })
  expect(await rows()).toEqual([])
  expect(existsSync(notes)).toBe(true)
  expect(await mnemonic.sync({ adapters: ['memory'], embed: false })).toMatchObject({ totals: { found: 0 } })
  expect(await rows()).toEqual([])
})

it.each([{ session: 'jsonl:quartz' }, { before: '2026-03-01' }, { match: 'quartz' }])(
  'published history whose session is in no ledger is forgotten by %j: files, mirror, index',
  async (what) => {
    const home = testHome()
    const talk = (topic: string) =>
      line('user', `Where is the ${topic} mined these days?`) + line('assistant', `The ${topic} is in the north.`)
    writeFileSync(join(home.logs, 'quartz.jsonl'), talk('quartz'))
    const before = await home.open()
    await before.sync({ path: home.logs, adapters: ['jsonl'], embed: false })
    await before.artifacts.publish()
    await before.close()
    rmSync(home.database)
    for (const end of ['-wal', '-shm']) rmSync(`${home.database}${end}`, { force: true })
    const mnemonic = await home.open()
    await mnemonic.artifacts.reindex()
    const hits = async () => (await mnemonic.search({ query: 'quartz' })).results.length
    expect(await hits()).toBeGreaterThan(0)
    const memory = join(home.root, 'workspace', 'memory')
    const published = new Map(
      readdirSync(memory).flatMap((name) => (name.includes('--') ? [[name, readFileSync(join(memory, name))]] : [])),
    )
    expect(await mnemonic.forget(what)).toMatchObject({ removed_paths: [...published.keys()].map((name) => `memory/${name}`).sort() })
    for (const [name, bytes] of published) writeFileSync(join(memory, name), bytes)
    await mnemonic.artifacts.reindex()
    expect(await hits()).toBe(0)
    const rows = await mnemonic.sql(
      "select path from documents union all select path from files union all select source_path from artifacts where source_kind <> 'manifest'",
    )
    expect(rows.rows).toEqual([])
  },
)
