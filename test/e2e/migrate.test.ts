/** Migrations of real processes that are really killed: the file has the old schema or the new one, and the next one completes. */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrationNames } from '../../src/store/sqlite/migrate/migrate.ts'
import { canonicalDump } from '../helpers/canonical-dump.ts'
import { oldDatabase } from '../helpers/old-database.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { tempFolder } from '../helpers/store.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'

const MODULE = new URL('../../dist/store/sqlite/open.js', import.meta.url).href

/** Opens the store in a process of its own and prints when the migration begins and ends. */
function opener(path: string) {
  const script = `import(${JSON.stringify(MODULE)})
    .then(({ openSqlite }) => openSqlite({ path: ${JSON.stringify(path)}, clock: Date.now, onProgress: (e) => process.stdout.write(e.done + '\\n') }))
    .then((store) => store.close())`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const begun = new Promise<number>((resolve) => child.stdout.once('data', () => resolve(performance.now())))
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)))
  return { child, begun, ended }
}

const schemaOf = (path: string) => {
  const db = new Database(path)
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    return db.prepare('select name from schema_migrations order by name').pluck().all()
  } finally {
    db.close()
  }
}

const copyTo = (from: string, to: string) => {
  for (const end of ['-wal', '-shm']) rmSync(to + end, { force: true })
  copyFileSync(from, to)
}

describe('kill -9', () => {
  it.each([
    { schema: '011', kills: LONG ? 60 : 5, chunks: 3001, made: { upTo: '011', sessions: 60, turnsEach: 50, dimensions: 128 } },
    // The tables of people, mail, episodes and derived events come after it.
    { schema: '022', kills: LONG ? 60 : 3, chunks: 601, made: { upTo: '011', thenTo: '022', sessions: 20, turnsEach: 30 } },
    // These tables with rows in them, as they were before analyses and the graph followed them.
    ...(LONG ? [{ schema: '028', kills: 60, chunks: 601, made: { upTo: '011', thenTo: '028', sessions: 20, turnsEach: 30 } }] : []),
  ])(
    '$kills times while a database of schema $schema is migrated: old or new, never a part; the next one completes',
    {
      timeout: 1_200_000,
    },
    async ({ schema: version, kills, chunks, made }) => {
      const OLD = migrationNames().filter((name) => name.slice(0, 3) <= version)
      const folder = tempFolder()
      const old = join(folder, 'old.db')
      oldDatabase(old, made)
      expect(existsSync(`${old}-wal`)).toBe(false)
      const calm = join(folder, 'calm.db')
      copyTo(old, calm)
      const undisturbed = opener(calm)
      const started = await undisturbed.begun
      expect(await undisturbed.ended).toBe(0)
      const duration = performance.now() - started
      const expected = canonicalDump(calm)
      expect(expected.chunks?.rows).toBe(chunks)
      expect(expected.events?.rows).toBeGreaterThan(500)
      if (version >= '022') expect(expected.episode_waiting?.rows).toBeGreaterThan(100)
      const seen = { old: 0, new: 0 }
      const path = join(folder, 'mnemonic.db')
      for (let kill = 0; kill < kills; kill += 1) {
        copyTo(old, path)
        const run = opener(path)
        await run.begun
        await sleep((duration * kill) / kills)
        run.child.kill('SIGKILL')
        await run.ended
        const schema = schemaOf(path)
        expect([OLD, migrationNames()], `after ${kill} kills`).toContainEqual(schema)
        seen[schema.length === OLD.length ? 'old' : 'new'] += 1
        expect(await opener(path).ended).toBe(0)
        expect(canonicalDump(path), `after ${kill} kills`).toEqual(expected)
      }
      expect(seen.old, JSON.stringify(seen)).toBeGreaterThan(0)
    },
  )
})

it('six commands that meet an old database at once all succeed, and one of them migrates it', { timeout: 120_000 }, async () => {
  const home = binaryHome()
  onTestFinished(() => home.remove())
  expect((await home.runHere('sync', '--no-embed')).code).toBe(0)
  const path = join(home.root, 'home', 'mnemonic.db')
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  oldDatabase(path, { upTo: '011', sessions: 20, turnsEach: 40 })
  const runs = await Promise.all(Array.from({ length: 6 }, () => home.run('search', 'word1 word2', '--json')))
  for (const run of runs) {
    expect(run.code, run.stderr).toBe(0)
    expect((JSON.parse(run.stdout) as { results: unknown[] }).results.length).toBeGreaterThan(0)
    expect(run.stderr).not.toMatch(/locked|BUSY/)
  }
  const told = runs.filter(({ stderr }) => /\{"hint":"The database is being upgraded to this version, once\./.test(stderr))
  expect(told).toHaveLength(1)
  expect(schemaOf(path)).toEqual(migrationNames())
})
