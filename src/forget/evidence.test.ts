import { mkdirSync, type StatsFs, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, it, vi } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { canonicalDump } from '../../test/helpers/canonical-dump.ts'
import { testHome } from '../../test/helpers/home.ts'
import { jsonlSource } from '../../test/helpers/sources/jsonl.ts'
import type { ForgetReport } from './forget.ts'

const disk = vi.hoisted(() => ({ full: false }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const statfsSync = (path: string) => ({ ...real.statfsSync(path), ...(disk.full ? { bavail: 1 } : {}) }) as StatsFs
  return { ...real, statfsSync }
})

beforeEach(() => {
  disk.full = false
})

const MARCH = Date.UTC(2026, 2, 1, 9)
const SENTENCE = 'The lantern was carried down to the old pier at night'

async function world() {
  const home = testHome()
  const sources = join(home.root, 'sources')
  mkdirSync(sources)
  mkdirSync(join(home.root, 'workspace'))
  jsonlSource.write(sources, 'one', [
    { prompt: 'Tell me of the Kestrelplan', answer: `The Kestrelplan is ready.\n${SENTENCE}.`, at: MARCH },
    { prompt: 'And the tides?', answer: 'They follow the moon.', at: MARCH + 1000 },
  ])
  const mnemonic = await home.open()
  await mnemonic.sync({ path: sources, embed: false })
  const roots = [join(home.root, 'home'), join(home.root, 'workspace')]
  const forget = async (match: string) => (await mnemonic.forget({ match })) as ForgetReport
  return { home, sources, mnemonic, roots, forget }
}

it('without room to write the database anew nothing is begun, and the error says how much is needed', async () => {
  const { home, mnemonic, forget } = await world()
  const before = canonicalDump(home.database)
  disk.full = true
  const error = await forget('Kestrelplan').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'STORAGE_ERROR', message: expect.stringContaining('not enough room') })
  expect(error).toMatchObject({
    details: { needs_bytes: expect.any(Number), free_bytes: expect.any(Number) },
    hint: expect.stringContaining('MB'),
  })
  expect(canonicalDump(home.database)).toEqual(before)
  disk.full = false
  expect(await forget('Kestrelplan')).toMatchObject({ status: 'gone' })
  expect(await mnemonic.resumeForgetting()).toBeUndefined()
})

it('while another process reads the old content it is not called gone, and the next command ends it', async () => {
  const { home, mnemonic, roots, forget } = await world()
  const reader = new Database(home.database, { readonly: true })
  const rows = reader.prepare('select * from agent_messages').iterate()
  rows.next()
  const report = await forget('Kestrelplan')
  expect(report).toMatchObject({
    status: 'still_held',
    still_held: expect.arrayContaining([{ path: home.database, owner: 'mnemonic' }]),
    scan: { log_emptied: false },
  })
  expect(report.warnings).toEqual([expect.stringContaining('another process reads')])
  rows.return?.()
  reader.close()
  disk.full = true
  expect((await mnemonic.search({ query: 'moon' })).results.length).toBeGreaterThan(0)
  await expect(mnemonic.resumeForgetting()).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
  disk.full = false
  expect(await mnemonic.resumeForgetting()).toMatchObject({ status: 'removed', scan: { database_rewritten: true, log_emptied: true } })
  expect(leftOver(roots, ['Kestrelplan', SENTENCE])).toEqual([])
  expect(await mnemonic.resumeForgetting()).toBeUndefined()
})

it('a file of ours that holds another sentence of the record is named; one of others may say the same', async () => {
  const { home, forget } = await world()
  const leftover = join(home.root, 'home', 'left-behind.tmp')
  writeFileSync(leftover, `… ${SENTENCE}.`)
  writeFileSync(join(home.root, 'workspace', 'poem.txt'), `${SENTENCE}.`)
  const report = await forget('Kestrelplan')
  expect(report).toMatchObject({ status: 'still_held', still_held: [{ path: leftover, owner: 'mnemonic' }] })
  expect(statSync(leftover).size).toBeGreaterThan(0)
})

it('a sentence that another record says too is no leftover', async () => {
  const { sources, mnemonic, forget } = await world()
  jsonlSource.write(sources, 'two', [{ prompt: 'Recite the line', answer: `${SENTENCE}.`, at: MARCH + 5000 }])
  await mnemonic.sync({ path: sources, embed: false })
  expect(await forget('Kestrelplan')).toMatchObject({ status: 'gone', removed: { message: 2 } })
  expect((await mnemonic.search({ query: 'lantern' })).results.length).toBeGreaterThan(0)
})

it('a reason that holds what is forgotten later leaves the tombstones of a backup too', async () => {
  const { home, mnemonic, forget } = await world()
  const copies = join(home.root, 'copies')
  mkdirSync(copies)
  await mnemonic.forget({ match: 'follow the moon', reason: 'the Kestrelplan needs it' })
  await mnemonic.safekeeping.backup(join(copies, 'backup.db'))
  expect(leftOver([copies], ['Kestrelplan needs']).length).toBeGreaterThan(0)
  expect(await forget('Kestrelplan')).toMatchObject({ status: 'gone', backups: [{ status: 'clean' }] })
  expect(leftOver([copies], ['Kestrelplan'])).toEqual([])
})
