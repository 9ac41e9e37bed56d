import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { spokenHome } from '../../test/helpers/spoken-home.ts'
import type { ExportManifest } from '../library/index.ts'

const TOKEN = `ghp_${'k3'.repeat(18)}`

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const manifestOf = (dir: string) => JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as ExportManifest
const bytesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => statSync(join(dir, name)).isFile())
    .map((name) => [name, readFileSync(join(dir, name), 'utf8')])

function withGraph(path: string): void {
  const db = new Database(path)
  db.exec(`insert into entities (id, type, name, created_at, updated_at) values ('e1', 'thing', 'Pear Tree', 1, 1);
    insert into entity_aliases (id, entity_id, alias_type, value, normalized, created_at) values ('a1', 'e1', 'name', 'the pear', 'the pear', 1);
    insert into relationships (id, subject_id, type, target_literal, fact, source_type, confidence, created_at, recorded_at, trust)
      values ('r1', 'e1', 'STANDS', 'wall', 'stands behind the wall', 'stated', 1, 1, 1, 'owner')`)
  db.close()
}

it('everything is there as JSON lines, counted and hashed in the manifest, for its owner alone', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await mnemonic.sync({ adapters: ['aix-events'], embed: false })
  withGraph(home.database)
  const dir = join(home.root, 'out')
  const report = await mnemonic.safekeeping.export({ dir })
  expect(report).toMatchObject({ path: dir, agent: 'main', redacted: true, warnings: [] })
  const manifest = manifestOf(dir)
  expect(manifest).toMatchObject({ format: 'mnemonic-export', version: 1, agent: 'main', complete: true, files: report.files })
  for (const { path, records, bytes, sha256 } of manifest.files) {
    const content = readFileSync(join(dir, path))
    expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')])
    expect(statSync(join(dir, path)).mode & 0o777).toBe(0o600)
    if (path.endsWith('.jsonl')) expect(linesOf(join(dir, path))).toHaveLength(records)
  }
  expect(linesOf(join(dir, 'sessions.jsonl')).map((line) => line.session_id)).toEqual(['jsonl:harbor', 'jsonl:orchard'])
  expect(linesOf(join(dir, 'messages.jsonl')).map((line) => line.content)).toEqual(await home.said(mnemonic))
  expect(linesOf(join(dir, 'turns.jsonl'))).toHaveLength(2)
  expect(linesOf(join(dir, 'events.jsonl'))).toHaveLength(4)
  expect(linesOf(join(dir, 'threads.jsonl'))).toHaveLength(2)
  expect(linesOf(join(dir, 'entities.jsonl'))).toMatchObject([{ entity_id: 'e1', name: 'Pear Tree' }])
  expect(linesOf(join(dir, 'aliases.jsonl'))).toMatchObject([{ entity_id: 'e1', value: 'the pear' }])
  expect(linesOf(join(dir, 'observations.jsonl'))).toMatchObject([{ subject_id: 'e1', fact: 'stands behind the wall', valid_at: null }])
})

it('the same content gives the same bytes, whenever it is written', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await mnemonic.artifacts.publish({ session: 'orchard' })
  const [a, b] = [join(home.root, 'a'), join(home.root, 'b')]
  await mnemonic.safekeeping.export({ dir: a })
  await mnemonic.safekeeping.export({ dir: b })
  expect(bytesOf(b)).toEqual(bytesOf(a))
  await mnemonic.safekeeping.export({ dir: a })
  expect(bytesOf(a)).toEqual(bytesOf(b))
  expect(readdirSync(join(a, 'memory')).length).toBeGreaterThan(2)
})

it('no secret leaves the ledger, also not from the configuration', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'secret', [`Push it with ${TOKEN}, please.`, 'Pushed.'])
  writeFileSync(join(home.root, 'home', 'config.yaml'), `# my token: ${TOKEN}\nagent: main\n`, { mode: 0o600 })
  const dir = join(home.root, 'out')
  await mnemonic.safekeeping.export({ dir })
  for (const [name, text] of bytesOf(dir)) expect(text, name).not.toContain(TOKEN)
  expect(linesOf(join(dir, 'messages.jsonl')).map((line) => line.content)).toContainEqual(expect.stringMatching(/Push it with .+, please/))
  expect(readFileSync(join(dir, 'config.yaml'), 'utf8')).toContain('agent: main')
})

it('the messages can be read in again, by this program or another', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const file = join(home.root, 'sessions.jsonl')
  await mnemonic.safekeeping.export({ file })
  const second = spokenHome()
  const other = await second.open()
  const { totals } = await other.sync({ path: file, adapters: ['jsonl'], embed: false })
  expect(totals).toMatchObject({ imported: 1, records: 4, skipped_lines: 0, quarantined: 0 })
  expect(await second.said(other)).toEqual(await home.said(mnemonic))
  const { rows } = await other.sql('select session_id, native_id, role, timestamp from agent_messages order by session_id, sequence')
  const { rows: before } = await mnemonic.sql(
    "select 'jsonl:' || session_id, native_id, role, timestamp from agent_messages order by session_id, sequence",
  )
  expect(rows).toEqual(before)
})

it('an export holds the memory of one agent, or of all', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await mnemonic.close()
  const db = new Database(home.database)
  db.exec("update agent_sessions set agent_id = 'gardener' where id = 'jsonl:orchard'")
  db.close()
  const sessions = async (agent: string) => {
    const dir = join(home.root, `out-${agent}`)
    await (await home.open({ agent })).safekeeping.export({ dir })
    return linesOf(join(dir, 'messages.jsonl')).map((line) => line.session_id)
  }
  expect(new Set(await sessions('main'))).toEqual(new Set(['jsonl:harbor']))
  expect(new Set(await sessions('gardener'))).toEqual(new Set(['jsonl:orchard']))
  expect(new Set(await sessions('all'))).toEqual(new Set(['jsonl:harbor', 'jsonl:orchard']))
})

it('a folder with other files is left alone; that of an earlier export is brought up to date', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const letters = join(home.root, 'letters')
  mkdirSync(letters)
  writeFileSync(join(letters, 'manifest.json'), '{"name": "letters"}')
  await expect(mnemonic.safekeeping.export({ dir: letters })).rejects.toMatchObject({ code: 'USAGE' })
  expect(readdirSync(letters)).toEqual(['manifest.json'])
  await expect(mnemonic.safekeeping.export({ dir: join(home.root, 'workspace', 'memory', 'x') })).rejects.toMatchObject({ code: 'USAGE' })
  await expect(mnemonic.safekeeping.export({})).rejects.toMatchObject({ code: 'USAGE' })

  const dir = join(home.root, 'out')
  await mnemonic.artifacts.publish({ session: 'orchard' })
  await mnemonic.safekeeping.export({ dir })
  const [published = ''] = readdirSync(join(dir, 'memory'))
  writeFileSync(join(dir, 'mine.txt'), 'mine')
  await mnemonic.close()
  const db = new Database(home.database)
  db.exec('delete from artifacts')
  db.close()
  await (await home.open()).safekeeping.export({ dir })
  expect(existsSync(join(dir, 'memory', published))).toBe(false)
  expect(existsSync(join(dir, 'mine.txt'))).toBe(true)
})

it('an export is noted, so that forgetting can find it', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await mnemonic.safekeeping.export({ dir: join(home.root, 'out') })
  const { rows } = await mnemonic.sql("select value from meta where key = 'exports'")
  expect(rows).toEqual([[JSON.stringify([join(home.root, 'out')])]])
})
