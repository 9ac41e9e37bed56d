import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { canonicalDump } from '../../../test/helpers/canonical-dump.ts'
import { claudeLog } from '../../../test/helpers/claude-log.ts'
import { generateClaude } from '../../../test/helpers/generate-claude.ts'
import { type TestHome, testHome } from '../../../test/helpers/home.ts'
import { defaultConfig } from '../../config/defaults.ts'
import { resolvePaths } from '../../config/paths.ts'
import { claudeCode } from '../../ingest/capture/claude-code.ts'
import type { UnitToRead } from '../../ingest/open-unit.ts'
import type { SyncReport } from '../../ingest/sync-report.ts'
import { unitReader } from '../../ingest/unit-reader.ts'
import { beside } from './beside.ts'
import { PIECES_AHEAD } from './messages.ts'

function threads() {
  const started: { readonly worker: Worker; messages: number; exited: boolean }[] = []
  const note = (worker: Worker) => {
    const one = { worker, messages: 0, exited: false }
    worker.on('message', () => {
      one.messages++
    })
    worker.once('exit', () => {
      one.exited = true
    })
    started.push(one)
  }
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  return started
}

const CLOCK = () => Date.parse('2026-06-01T00:00:00Z')

async function sync(home: TestHome, besideFrom: number, logs: string, options: object = {}): Promise<SyncReport> {
  const mnemonic = await home.open({ clock: CLOCK, config: { sources: { 'claude-code': { paths: [logs] } } } }, { besideFrom })
  return mnemonic.sync({ adapters: ['claude-code', 'aix-events'], embed: false, ...options })
}

function told({ adapters }: SyncReport): unknown {
  return adapters.map(({ duration_ms: _, ...rest }) => rest)
}

async function hostileLogs(folder: string) {
  await generateClaude({ folder, bytes: 1_500_000, seed: 7, sessionBytes: 400_000 })
  const log = claudeLog(folder, '5ec2e7aa-0000-4000-8000-000000000001')
  log.turn('the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 <private>never stored</private>', 'noted')
  appendFileSync(log.path, 'no JSON at all\n{"type":"user"\n')
  log.turn('we decided to keep SQLite', 'Agreed.')
  mkdirSync(join(folder, 'other'))
  writeFileSync(join(folder, 'other', 'a.jsonl'), `${'{"kind":"something else"}\n'.repeat(50)}`)
  return log
}

it('gives the same rows and the same report as without it, at first and when files grow', async () => {
  const [with_, without] = [testHome(), testHome()]
  const log = await hostileLogs(with_.logs)
  const started = threads()
  for (const [round, threadsBy] of [1, 2].entries()) {
    const alone = await sync(without, Number.POSITIVE_INFINITY, with_.logs)
    expect(started).toHaveLength(round)
    const helped = await sync(with_, 0, with_.logs)
    expect(started).toHaveLength(threadsBy)
    expect(told(helped)).toEqual(told(alone))
    expect(helped.totals.imported).toBeGreaterThan(0)
    expect(canonicalDump(with_.database)).toEqual(canonicalDump(without.database))
    log.turn('and one more thing', 'which is appended')
  }
  expect(started.every(({ exited }) => exited)).toBe(true)
})

it('is not started for little, nor where nothing changed', async () => {
  const home = testHome()
  await hostileLogs(home.logs)
  const started = threads()
  await sync(home, 16 << 20, home.logs)
  await sync(home, 1, home.logs)
  expect(started).toEqual([])
})

it('ends with a sync that is stopped, which goes on at the next', async () => {
  const [home, calm] = [testHome(), testHome()]
  await hostileLogs(home.logs)
  const started = threads()
  const stop = new AbortController()
  const onProgress = ({ stage, done }: { stage: string; done?: number }) => stage === 'ingest' && done === 2 && stop.abort()
  await expect(sync(home, 0, home.logs, { signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(started).toMatchObject([{ exited: true }])
  await sync(home, 0, home.logs)
  await sync(calm, Number.POSITIVE_INFINITY, home.logs)
  expect(canonicalDump(home.database)).toEqual(canonicalDump(calm.database))
})

it('stops the sync where it dies, and no file is blamed for it', async () => {
  const home = testHome()
  await hostileLogs(home.logs)
  const end = (worker: Worker) => void worker.terminate()
  process.on('worker', end)
  onTestFinished(() => void process.off('worker', end))
  await expect(sync(home, 0, home.logs)).rejects.toMatchObject({ code: 'INTERRUPTED' })
  const mnemonic = await home.open({ clock: CLOCK })
  expect((await mnemonic.sql('select path from quarantine')).rows).toEqual([])
})

async function opened(bytes: number) {
  const { logs, root } = testHome()
  const { files } = await generateClaude({ folder: logs, bytes, seed: 3, sessionBytes: bytes / 3 })
  const reader = unitReader(() => {
    throw new Error('no database is read here')
  })
  const units: UnitToRead[] = files.map((path) => ({ unit: { path, size: 1, mtimeMs: 0 }, state: undefined }))
  const thread = beside({ config: defaultConfig(), paths: resolvePaths({ home: root, workspace: root }), from: 0 })
  onTestFinished(() => thread.close())
  return { thread, units, reader, open: thread.readAhead({ adapter: claudeCode(), reader, reread: false }, units) }
}

it('reads no more ahead than it may', async () => {
  const one = threads()
  const { thread, open } = await opened(12e6)
  expect(open).toBeDefined()
  while ((one[0]?.messages ?? 0) < PIECES_AHEAD) await new Promise((resolve) => setImmediate(resolve))
  // Answers, but reads no further.
  for (let n = 1; n <= 3; n++) {
    expect(await thread.makeWork([])).toEqual([])
    expect(one[0]?.messages).toBe(PIECES_AHEAD + n)
  }
})

it('a unit that is left before its end is passed over', async () => {
  const { open, units, reader } = await opened(6e6)
  const paths: string[] = []
  for (const { unit, state } of units) {
    const { items } = (await open?.(unit, state)) ?? { items: [] }
    for await (const item of items) {
      if (item.type !== 'record' || item.record.session === undefined) continue
      paths.push(item.record.session)
      break
    }
  }
  expect(paths.map((session, n) => units[n]?.unit.path.includes(session))).toEqual(units.map(() => true))
  expect(reader.bytesRead()).toBeGreaterThan(4e6)
})
