import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolvePaths } from '../config/paths.ts'
import { systemClock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import type { Adapter } from '../ingest/adapter.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { type DoctorOptions, doctorReport } from './doctor.ts'
import type { DoctorCheck } from './report.ts'

let folder: string
let opened: Store[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mnemonic-doctor-'))
  opened = []
})

afterEach(async () => {
  for (const store of opened) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function options(more: Partial<DoctorOptions> = {}): DoctorOptions {
  const paths = resolvePaths({ home: join(folder, 'home'), workspace: join(folder, 'workspace'), env: {} })
  return {
    paths,
    open: async () => {
      const store = await openSqlite({ path: paths.database, clock: systemClock })
      opened.push(store)
      return store
    },
    adapters: [],
    env: { PATH: join(folder, 'bin'), GIT_CONFIG_GLOBAL: join(folder, 'gitconfig') },
    ...more,
  }
}

async function check(name: string, more: Partial<DoctorOptions> = {}): Promise<DoctorCheck | undefined> {
  return (await doctorReport(options(more))).checks.find((one) => one.name === name)
}

const silent: Adapter = {
  name: 'quiet',
  defaultPaths: () => [join(tmpdir(), 'no-such-place-here')],
  async *discover({ warn }) {
    warn('a folder cannot be listed')
    yield { path: '/x/1', size: 5, mtimeMs: 1 }
  },
  recognises: () => false,
  read: () => {
    throw new Error('doctor must not open a source')
  },
}

describe('doctorReport', () => {
  it('finds a fresh machine in order', async () => {
    const report = await doctorReport(options())
    expect(report.checks.filter((one) => !one.ok)).toEqual([])
    expect(report.ok).toBe(true)
    expect(report.checks.map((one) => one.name)).toEqual([
      'node',
      'home',
      'workspace',
      'config',
      'owner',
      'git',
      'database',
      'database_rights',
      'disk',
    ])
  })

  it.each([
    ['20.19.0', true],
    ['22.0.0', true],
    ['20.18.3', false],
    ['18.20.0', false],
  ])('Node %s is fit: %s', async (nodeVersion, ok) => {
    expect(await check('node', { nodeVersion })).toMatchObject({ ok, found: nodeVersion })
  })

  it('warns when others can read the home or the database, and says how to repair it', async () => {
    const { paths, open } = options()
    await (await open()).file?.size()
    chmodSync(paths.home, 0o755)
    chmodSync(paths.database, 0o644)
    expect(await check('home')).toMatchObject({ ok: false, found: expect.stringContaining('755'), hint: `Run chmod 700 ${paths.home}` })
    expect(await check('database_rights')).toMatchObject({ ok: false, hint: `Run chmod 600 ${paths.database}` })
  })

  it('says what is wrong in config.yaml and goes on', async () => {
    const { paths } = options()
    mkdirSync(paths.home, { recursive: true, mode: 0o700 })
    writeFileSync(paths.config, 'no_such_key: 1\n', { mode: 0o600 })
    const report = await doctorReport(options())
    expect(report.ok).toBe(false)
    expect(report.checks.find((one) => one.name === 'config')).toMatchObject({ ok: false, found: expect.stringContaining('no_such_key') })
    expect(report.checks.find((one) => one.name === 'database')?.ok).toBe(true)
  })

  it('guesses the owner from git settings and says that it guessed', async () => {
    writeFileSync(join(folder, 'gitconfig'), '[user]\n  name = Ada Example\n  email = ada@example.com\n')
    expect(await check('owner')).toMatchObject({
      ok: true,
      found: expect.stringContaining('Ada Example, ada@example.com'),
      hint: expect.any(String),
    })
  })

  it('finds git on the path without starting it', async () => {
    expect(await check('git')).toMatchObject({ ok: true, found: 'not found' })
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin', 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    expect(await check('git')).toEqual({ name: 'git', ok: true, found: join(folder, 'bin', 'git') })
  })

  it('says that the database cannot be opened and still looks at the sources', async () => {
    const { paths } = options()
    mkdirSync(paths.home, { recursive: true, mode: 0o700 })
    writeFileSync(paths.database, 'garbage', { mode: 0o600 })
    const report = await doctorReport(options({ adapters: [silent], engine: async () => [{ name: 'never', ok: false, found: '' }] }))
    expect(report.ok).toBe(false)
    expect(report.checks.find((one) => one.name === 'database')).toMatchObject({ ok: false, hint: expect.any(String) })
    expect(report.checks.some((one) => one.name === 'never')).toBe(false)
    expect(report.checks.at(-1)?.name).toBe('source quiet')
  })

  it('counts the units of each adapter, opens none, and shows warnings', async () => {
    expect(await check('source quiet', { adapters: [silent] })).toEqual({
      name: 'source quiet',
      ok: false,
      found: '1 unit, 1 new or changed: no folder here',
      hint: 'a folder cannot be listed',
    })
  })

  it('does not look at a personal source that is off, and does not say that nothing of it is here', async () => {
    const chatgpt: Adapter = { ...silent, name: 'chatgpt' }
    expect(await check('source chatgpt', { adapters: [chatgpt], enabled: () => false })).toEqual({
      name: 'source chatgpt',
      ok: true,
      found: 'off: not looked at',
    })
    expect(await check('source chatgpt', { adapters: [chatgpt], enabled: () => true })).toMatchObject({ ok: false })
  })

  it('passes on what the engine says of itself', async () => {
    const engine = async (store: Store) => [{ name: 'integrity', ok: false, found: store.location, hint: 'h' }]
    expect(await check('integrity', { engine })).toMatchObject({ ok: false, found: options().paths.database })
  })

  it.each([
    [
      { name: 'minilm', model: 'all-MiniLM-L6-v2', engine: 'onnxruntime-node, 2 workers' },
      'all-MiniLM-L6-v2 on onnxruntime-node, 2 workers',
    ],
    [{ name: 'openai', model: 'text-embedding-3-small', engine: 'openai' }, 'text-embedding-3-small of openai (openai)'],
  ])('says what runs the embedding model: %j', async (engine, found) => {
    expect(await check('embedding', { embedding: async () => engine })).toEqual({ name: 'embedding', ok: true, found })
  })

  it('says how to get the faster engine where the slower one runs, and calls it no fault', async () => {
    const engine = { name: 'minilm', model: 'm', engine: 'WASM (slower: no binary)', advice: 'npm install onnxruntime-node' }
    expect(await check('embedding', { embedding: async () => engine })).toEqual({
      ...{ name: 'embedding', ok: true, found: 'm on WASM (slower: no binary)', hint: 'npm install onnxruntime-node' },
    })
  })

  it('says why the embedding model cannot be loaded', async () => {
    const embedding = async () => {
      throw new MnemonicError('EMBEDDING_FAILED', '@lat.md/embed cannot be loaded', { hint: 'Install it' })
    }
    expect(await check('embedding', { embedding })).toEqual({
      ...{ name: 'embedding', ok: false, found: '@lat.md/embed cannot be loaded', hint: 'Install it' },
    })
  })

  it('a home that is a file is said to be none', async () => {
    writeFileSync(join(folder, 'home'), '')
    const report = await doctorReport(options())
    expect(report.checks.filter((one) => !one.ok).map((one) => one.name)).toEqual(['home', 'config', 'database'])
  })
})
