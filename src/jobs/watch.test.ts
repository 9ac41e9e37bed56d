import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { claudeLog } from '../../test/helpers/claude-log.ts'
import { testHome } from '../../test/helpers/home.ts'
import type { SyncReport, WatchedPlace } from '../library/index.ts'

const fs = vi.hoisted(() => ({ fails: false }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const watch = (...given: Parameters<typeof real.watch>) => {
    if (fs.fails) throw Object.assign(new Error('too many'), { code: 'ENOSPC' })
    return real.watch(...given)
  }
  return { ...real, watch }
})

async function watching() {
  const home = testHome()
  const later = join(home.root, 'later')
  const sources = { 'claude-code': { paths: [home.logs, later] } }
  const mnemonic = await home.open({ config: { embedding: { sync_seconds: 0 }, sources } })
  const stop = new AbortController()
  const reports: SyncReport[] = []
  const places: WatchedPlace[] = []
  const ended = mnemonic.watch({
    ...{ signal: stop.signal, adapters: ['claude-code', 'aix-events'], quietMs: 20, pollMs: 100 },
    onSync: (report) => void reports.push(report),
    onPlace: (place) => void places.push(place),
  })
  ended.catch(() => undefined)
  const told = async (count: number) =>
    vi.waitFor(() => expect(reports.length).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 20 })
  return { home, mnemonic, later, stop, reports, places, ended, told }
}

it('follows what is written, finds folders that come later, and ends when it is asked to', { timeout: 120_000 }, async () => {
  const { home, mnemonic, later, stop, reports, places, ended, told } = await watching()
  await told(1)
  expect(reports[0]?.totals.imported).toBe(0)
  expect(places).toEqual([
    { path: home.logs, how: 'watched' },
    { path: later, how: 'absent' },
  ])
  const log = claudeLog(home.logs, 'c0ffee00-0000-4000-8000-000000000001')
  log.turn('Please retry webhooks three times.', 'Done.')
  await vi.waitFor(async () => expect((await mnemonic.status()).agents.messages).toBe(2), { timeout: 60_000 })
  log.turn('And mails.', 'Done, too.')
  await vi.waitFor(async () => expect((await mnemonic.status()).agents.messages).toBe(4), { timeout: 60_000 })
  mkdirSync(later)
  claudeLog(later, 'deadbeef-0000-4000-8000-000000000002').turn('Something else.', 'Yes.')
  await vi.waitFor(async () => expect((await mnemonic.status()).agents.messages).toBe(6), { timeout: 60_000 })
  expect(places.at(-1)).toEqual({ path: later, how: 'watched' })
  await vi.waitFor(() => expect(reports.reduce((sum, { totals }) => sum + totals.records, 0)).toBe(6), { timeout: 60_000 })
  stop.abort()
  await expect(ended).rejects.toMatchObject({ code: 'INTERRUPTED' })
  const said = reports.length
  log.turn('Nobody looks any more.', 'No.')
  expect(reports).toHaveLength(said)
})

it('what cannot be watched is looked at now and then, and says so', { timeout: 120_000 }, async () => {
  fs.fails = true
  const { home, mnemonic, stop, places, ended, told } = await watching()
  await told(1)
  expect(places).toContainEqual({ path: home.logs, how: 'polled', why: 'ENOSPC' })
  claudeLog(home.logs, 'c0ffee00-0000-4000-8000-000000000001').turn('Please retry webhooks three times.', 'Done.')
  await vi.waitFor(async () => expect((await mnemonic.status()).agents.messages).toBe(2), { timeout: 60_000 })
  stop.abort()
  await expect(ended).rejects.toMatchObject({ code: 'INTERRUPTED' })
  fs.fails = false
})
