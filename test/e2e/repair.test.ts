/** Damaged pages: what is derived is made again, the ledger loses only the rows of its own damaged pages, and nobody is told that all is well. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolvePaths } from '../../src/config/paths.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type Mnemonic, openMnemonic } from '../../src/library/index.ts'
import { type RepairStep, repair } from '../../src/operations/repair.ts'
import { sqliteFiles } from '../../src/store/sqlite/files/database-files.ts'
import { type CliRun, cli, cliJson } from '../helpers/cli.ts'
import { type SpokenHome, spokenHome } from '../helpers/spoken-home.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-repair-'))
const base = join(root, 'base.db')
const home = join(root, 'höme with blanks')
const database = join(home, 'mnemonic.db')
const logs = join(root, 'logs')
const env = { MNEMONIC_HOME: home, MNEMONIC_WORKSPACE: join(root, 'workspace'), HOME: root }
const SESSIONS = 24

const run = (...args: string[]): Promise<CliRun> => cli(args, { env })

beforeAll(async () => {
  mkdirSync(logs)
  for (let session = 0; session < SESSIONS; session++) {
    const lines = Array.from({ length: 12 }, (_, i) => ({
      ...{ role: i % 2 === 0 ? 'user' : 'assistant', timestamp: new Date(Date.UTC(2026, 3, 1, session % 24, i)).toISOString() },
      content: `bed ${session} row ${i}: ${`beans${session} maize${i} `.repeat(i % 2 === 0 ? 4 : 24)}`,
    }))
    writeFileSync(join(logs, `s${session}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  const made = await run('sync', '--no-embed', '--adapter', 'jsonl', '--path', logs)
  expect(made.code, made.stderr).toBe(0)
  await cliJson(['remember', 'I prefer raised beds for maize.'], { env })
  const db = new Database(database)
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  copyFileSync(database, base)
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function fresh(): void {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { mode: 0o700 })
  copyFileSync(base, database)
}

/** Overwrites a page of a table or an index with zeros. */
function zero(name: string, kind: 'leaf' | 'internal' | 'overflow' = 'leaf', which = 0): void {
  const db = new Database(base, { readonly: true })
  const pages = db.prepare('select pageno from dbstat where name = ? and pagetype = ? order by path').pluck().all(name, kind) as number[]
  const size = db.pragma('page_size', { simple: true }) as number
  db.close()
  const page = pages.at(which)
  if (page === undefined) throw new Error(`${name} has no such page: ${kind} ${which}`)
  writeSync(openSync(database, 'r+'), Buffer.alloc(size), 0, size, (page - 1) * size)
}

function rows(path: string, table: string): string[] {
  const db = new Database(path, { readonly: true })
  try {
    return db.prepare(`select id from ${table} order by id`).pluck().all() as string[]
  } finally {
    db.close()
  }
}

function turns(path: string): unknown[] {
  const db = new Database(path, { readonly: true })
  try {
    return db
      .prepare(`select id, parent_turn_id, opener_id, sequence, status, turn_type, query_message_ids, response_message_id, token_count, message_count,
        has_children from agent_turns order by id`)
      .all()
  } finally {
    db.close()
  }
}

const LEDGER = ['agent_sessions', 'agent_messages', 'agent_turns', 'events', 'threads']

function expectWhole(): void {
  const db = new Database(database, { readonly: true })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
  expect(readdirSync(home).filter((name) => name.includes('repair'))).toEqual([])
}

describe('what is derived', () => {
  it.each([
    ['chunks_fts_data', 'leaf', 1],
    ['chunks_fts_data', 'internal', 0],
    ['chunks_fts_idx', 'leaf', 0],
    ['index_chunks', 'leaf', 3],
    ['index_chunks', 'internal', 0],
    ['index_files', 'leaf', 0],
    ['index_words', 'leaf', 0],
    ['discussion_terms', 'leaf', 0],
    ['sqlite_autoindex_agent_messages_1', 'leaf', 1],
  ] as const)(
    '%s, %s page: nothing is lost, and search finds as before',
    async (name, kind, which) => {
      fresh()
      zero(name, kind, which)
      expect((await run('health')).code).not.toBe(0)
      const report = await cliJson<{ faults: string[]; lost: unknown[] }>(['doctor', '--repair', '--yes'], { env })
      expect(report.faults.length).toBeGreaterThan(0)
      expect(report.lost).toEqual([])
      expectWhole()
      for (const table of LEDGER) expect(rows(database, table), table).toEqual(rows(base, table))
      const found = await run('search', 'beans17 maize3', '--limit', '3')
      expect(found.stdout).toContain('beans17')
      expect((await run('doctor')).stdout).not.toMatch(/bad\s+(integrity|full-text)/)
      expect((await run('remember', '--list')).stdout).toContain('raised beds')
    },
    150_000,
  )
})

describe('a reading command', () => {
  it.each(['index_chunks', 'chunks_fts_data'])(
    'says how to repair a damaged page of %s, without a stack trace',
    async (name) => {
      fresh()
      zero(name, 'internal')
      for (const args of [
        ['search', 'beans17 maize3'],
        ['fork', '--query', 'beans17'],
        ['read', 'what about beans17?'],
      ]) {
        const { code, stderr } = await run(...args)
        expect(code, args[0]).toBe(1)
        expect(stderr.replace(/\s+/g, ' '), args[0]).toContain('mnemonic doctor --repair')
        expect(stderr, args[0]).not.toMatch(/^\s+at /m)
      }
    },
    150_000,
  )
})

describe('the ledger', () => {
  it('a file that was cut off loses the rows of the missing pages', async () => {
    fresh()
    const size = statSync(database).size
    truncateSync(database, Math.floor(size * 0.8))
    expect((await run('health')).stdout).toContain('doctor --repair')
    const report = await cliJson<{ lost: { table: string; ids: string[] }[] }>(['doctor', '--repair', '--yes'], { env })
    expectWhole()
    for (const table of LEDGER) {
      const kept = new Set(rows(database, table))
      const named = report.lost.filter((one) => one.table === table).flatMap(({ ids }) => ids)
      expect(named, table).toEqual(expect.arrayContaining(rows(base, table).filter((id) => !kept.has(id))))
    }
    expect((await run('sync', '--no-embed', '--adapter', 'jsonl', '--path', logs)).code).toBe(0)
    for (const table of LEDGER) expect(rows(database, table), table).toEqual(rows(base, table))
    expect(turns(database)).toEqual(turns(base))
  }, 150_000)

  it('a damaged page loses its own rows, names them, and the next sync brings them back', async () => {
    fresh()
    zero('agent_messages', 'leaf', 5)
    const report = await cliJson<{ lost: { table: string; rows: number; ids: string[] }[] }>(['doctor', '--repair', '--yes'], { env })
    const before = rows(base, 'agent_messages')
    const after = new Set(rows(database, 'agent_messages'))
    const gone = before.filter((id) => !after.has(id))
    expect(gone.length).toBeGreaterThan(0)
    expect(gone.length).toBeLessThan(20)
    expect(report.lost).toEqual([{ table: 'agent_messages', rows: gone.length, ids: gone }])
    expectWhole()
    expect((await run('sync', '--no-embed', '--adapter', 'jsonl', '--path', logs)).code).toBe(0)
    expect(rows(database, 'agent_messages')).toEqual(before)
    expect(rows(database, 'agent_turns')).toEqual(rows(base, 'agent_turns'))
  }, 150_000)

  it('what is left of a torn page is taken for no row', async () => {
    fresh()
    const db = new Database(database)
    const id = db.prepare('select id from agent_turns where parent_turn_id is null order by id limit 1').pluck().get() as string
    // As torn pages leave it: a row without its key, in a table whose pages are damaged elsewhere.
    db.pragma('foreign_keys = off')
    db.prepare('update agent_turns set id = null where id = ?').run(id)
    db.pragma('wal_checkpoint(truncate)')
    db.close()
    zero('agent_turns', 'leaf', -1)
    const { code, stderr } = await run('doctor', '--repair', '--yes')
    expect([0, 3], stderr).toContain(code)
    expect(rows(database, 'agent_turns')).not.toContain(null)
    expect((await run('sync', '--no-embed', '--adapter', 'jsonl', '--path', logs)).code).toBe(0)
    expect(rows(database, 'agent_turns')).toEqual(rows(base, 'agent_turns'))
  }, 150_000)

  it('a page that only leads to others loses nothing', async () => {
    fresh()
    zero('agent_messages', 'internal', 0)
    expect(await cliJson(['doctor', '--repair', '--yes'], { env })).toMatchObject({ lost: [] })
    expect(rows(database, 'agent_messages')).toEqual(rows(base, 'agent_messages'))
  }, 150_000)

  it('messages of a session whose own row is lost stay, and can be shown', async () => {
    fresh()
    zero('agent_sessions', 'leaf', 0)
    const { lost } = await cliJson<{ lost: { table: string; ids: string[] }[] }>(['doctor', '--repair', '--yes'], { env })
    expect(lost.map(({ table }) => table)).toEqual(['agent_sessions'])
    expect(rows(database, 'agent_messages')).toEqual(rows(base, 'agent_messages'))
    expect(rows(database, 'agent_sessions')).toEqual(rows(base, 'agent_sessions'))
    expect((await run('show', lost[0]?.ids[0] as string)).stdout).toContain('beans')
  }, 150_000)

  it('without the first page it says so, points at a backup, and changes nothing', async () => {
    fresh()
    writeSync(openSync(database, 'r+'), Buffer.alloc(4096), 0, 4096, 0)
    const { mtimeMs } = statSync(database)
    for (const args of [
      ['doctor', '--repair', '--yes'],
      ['search', 'beans'],
    ]) {
      const { code, stderr } = await run(...args)
      expect(code).toBe(1)
      expect(stderr).toMatch(/mnemonic restore/)
    }
    expect(statSync(database).mtimeMs).toBe(mtimeMs)
  })
})

describe('the repair', () => {
  it('asks first, and changes nothing where nobody can answer', async () => {
    fresh()
    zero('index_chunks', 'leaf', 2)
    const { code, stderr } = await run('doctor', '--repair')
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect(existsSync(`${database}.damaged`)).toBe(false)
    const library = await openMnemonic({ home, workspace: env.MNEMONIC_WORKSPACE })
    expect(await library.safekeeping.repair({ confirm: async (plan) => plan.lost.length > 0 })).toBeUndefined()
    await library.close()
    expect((await run('doctor')).stdout).toContain('doctor --repair')
  }, 150_000)

  it('leaves a whole database alone', async () => {
    fresh()
    expect(await cliJson(['doctor', '--repair', '--yes'], { env })).toMatchObject({ faults: [], lost: [], rebuilt: [] })
  })

  it('index --all repairs what it cannot rebuild in its place', async () => {
    fresh()
    zero('index_chunks', 'leaf', 2)
    expect((await run('index', '--all', '--yes')).code).toBe(0)
    expectWhole()
    expect(rows(database, 'agent_messages')).toEqual(rows(base, 'agent_messages'))
  }, 150_000)

  it('keeps the damaged file only where asked to, and forgetting knows of it', async () => {
    fresh()
    zero('index_chunks', 'leaf', 2)
    const { kept } = await cliJson<{ kept: string }>(['doctor', '--repair', '--yes', '--keep-damaged'], { env })
    expect(existsSync(kept)).toBe(true)
    expect(JSON.stringify(await cliJson(['uninstall', '--dry-run'], { env }))).toContain(kept)
  }, 150_000)

  it.each(['copy', 'salvage', 'replace', 'note', 'end'] as const)(
    'stopped at %s, it can be run again to the same end',
    async (at) => {
      fresh()
      zero('agent_messages', 'leaf', 5)
      const paths = resolvePaths({ home, workspace: env.MNEMONIC_WORKSPACE, env: {} })
      const onStep = (step: RepairStep) => {
        if (step === at) throw new Error('stopped')
      }
      await expect(repair({ files: sqliteFiles(systemClock), paths, clock: systemClock, onStep })).rejects.toThrow('stopped')
      await cli(['doctor', '--repair', '--yes'], { env })
      expectWhole()
      expect(rows(base, 'agent_messages').length - rows(database, 'agent_messages').length).toBeLessThan(20)
    },
    150_000,
  )

  it('another process that has the file open goes on with the repaired content', async () => {
    fresh()
    zero('chunks_fts_data', 'leaf', 1)
    const other = await openMnemonic({ home, workspace: env.MNEMONIC_WORKSPACE })
    expect(await other.sessions({ limit: 1 })).toHaveLength(1)
    await cliJson(['doctor', '--repair', '--yes'], { env })
    expect((await other.search({ query: 'beans17 maize3' })).groups.length).toBeGreaterThan(0)
    await other.close()
    expectWhole()
  }, 150_000)
})

/** Overwrites a page of a home that nobody has open, and opens it. */
async function openWithout(home: SpokenHome, table: string, kind: 'leaf' | 'internal' = 'leaf') {
  const db = new Database(home.database)
  db.pragma('wal_checkpoint(truncate)')
  const pages = db.prepare('select min(pageno) from dbstat where name = ? and pagetype = ?').pluck()
  const page = pages.get(table, kind) as number
  db.close()
  writeSync(openSync(home.database, 'r+'), Buffer.alloc(4096), 0, 4096, (page - 1) * 4096)
  const mnemonic = await home.open()
  const report = await mnemonic.safekeeping.repair({ confirm: async () => true })
  return { mnemonic, lost: report?.lost.map((one) => one.table) }
}

it.each(['leaf', 'internal'] as const)(
  'a lost %s page of the names of records stores nothing twice',
  async (kind) => {
    const home = spokenHome()
    const before = await home.open()
    const texts = Array.from({ length: 150 }, (_, i) => `Row ${i} of the long bed has maize ${i}.`)
    await home.say(before, 'long', texts)
    const count = async (mnemonic: Mnemonic) => Number((await mnemonic.sql('select count(*) from agent_records')).rows[0]?.[0])
    const [said, names] = [await home.said(before), await count(before)]
    await before.close()
    const { mnemonic, lost } = await openWithout(home, 'agent_records', kind)
    expect(lost).toEqual(['agent_records'])
    // Of a page above the leaves, no more than the rows that stood in it.
    if (kind === 'internal') expect(await count(mnemonic)).toBeGreaterThan(names * 0.9)
    await mnemonic.sync({ path: join(home.logs, 'long.jsonl'), adapters: ['jsonl'], embed: false })
    expect(await home.said(mnemonic)).toEqual(said)
  },
  60_000,
)

it('what analyses found is found again when their types were lost', async () => {
  const home = spokenHome()
  const before = await home.spoken()
  await home.say(before, 'people', ['My sister Emily works at Northwind since March.', 'Noted.'])
  await before.analyze()
  const found = 'select (select count(*) from facets), (select count(*) from entities), (select count(*) from analysis_types)'
  const { rows: all } = await before.sql(found)
  expect(Math.min(...(all[0] as number[]))).toBeGreaterThan(0)
  await before.close()
  const { mnemonic } = await openWithout(home, 'analysis_types')
  expect((await mnemonic.sql(found)).rows).toEqual(all)
}, 60_000)

it('summaries of published files are found again when their rows were lost', async () => {
  const home = spokenHome()
  const before = await home.spoken()
  for (const id of ['harbor', 'orchard']) await before.artifacts.publish({ session: `jsonl:${id}` })
  const mirrored = "select path from documents where kind = 'summary' order by path"
  const { rows: published } = await before.sql(mirrored)
  expect(published).toHaveLength(2)
  await before.close()
  const { mnemonic } = await openWithout(home, 'documents')
  expect((await mnemonic.sql(mirrored)).rows).toEqual(published)
}, 60_000)
