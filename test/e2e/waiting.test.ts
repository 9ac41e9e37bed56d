/** A command that has to wait for another process says so, and ends at once when it is asked to. Real processes, real signals. */
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { withLease } from '../../src/store/lease.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { type BinaryHome, binaryHome, ended } from '../helpers/run-binary.ts'

let home: BinaryHome
let database: string

beforeEach(() => {
  home = binaryHome()
  mkdirSync(home.env.MNEMONIC_HOME as string, { recursive: true })
  database = join(home.env.MNEMONIC_HOME as string, 'mnemonic.db')
})

afterEach(() => home.remove())

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20)
}

const COMMANDS = [
  { argv: ['sync'], lease: 'writer' },
  { argv: ['index', '--all'], lease: 'writer' },
  { argv: ['export', 'qmd'], lease: 'writer' },
  { argv: ['forget', '--before', '2020-01-01', '--yes'], lease: 'writer' },
  { argv: ['embed'], lease: 'embed' },
  { argv: ['memory', 'render'], lease: 'memory-md:main' },
]

it.each(COMMANDS)('$argv.0 $argv.1 says for whom it waits, and Ctrl-C ends it', async ({ argv, lease }) => {
  const store = await openSqlite({ path: database, clock: systemClock })
  const options = { name: lease, job: 'sync', clock: systemClock, ttlMs: 60_000, waitMs: 0 }
  await withLease(store, options, async () => {
    const child = home.start(...argv)
    let told = ''
    child.stderr.on('data', (text: string) => (told += text))
    const end = ended(child)
    await until(() => told.includes('waiting'))
    child.kill('SIGINT')
    const { code, stderr } = await end
    expect(stderr).toMatch(new RegExp(`^waiting for another mnemonic sync \\(pid ${process.pid}, since 20\\d\\d-`))
    expect(stderr.match(/waiting/g)).toHaveLength(1)
    expect(code).toBe(130)
  })
  await store.close()
})

it('with --json the line is JSON, and SIGTERM has its own exit code', async () => {
  const store = await openSqlite({ path: database, clock: systemClock })
  await withLease(store, { name: 'writer', job: 'index', clock: systemClock, ttlMs: 60_000, waitMs: 0 }, async () => {
    const child = home.start('sync', '--json')
    let told = ''
    child.stderr.on('data', (text: string) => (told += text))
    const end = ended(child)
    await until(() => told.includes('waiting'))
    child.kill('SIGTERM')
    const { code, stderr, stdout } = await end
    const [waiting, error] = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(waiting).toEqual({ hint: expect.stringContaining('waiting for another mnemonic index') })
    expect(error).toMatchObject({ error: { code: 'INTERRUPTED' } })
    expect(stdout).toBe('')
    expect(code).toBe(143)
  })
  await store.close()
})

it.runIf(process.platform === 'linux')('a wait for the lock of the database itself ends as well', async () => {
  await (await openSqlite({ path: database, clock: systemClock })).close()
  const other = new Database(database)
  other.exec('begin immediate')
  const child = home.start('sync')
  const end = ended(child)
  const opened = () => readdirSync(`/proc/${child.pid}/fd`).some((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`) === database)
  await until(opened)
  await sleep(300)
  child.kill('SIGINT')
  expect((await end).code).toBe(130)
  other.exec('rollback')
  other.close()
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed between the listing and now
  }
}
