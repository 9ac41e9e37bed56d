import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultConfig } from './defaults.ts'
import { loadConfig } from './load.ts'
import { openConfig } from './open-config.ts'
import { type Paths, resolvePaths } from './paths.ts'
import { configSchema } from './schema.ts'

let home: string
let paths: Paths
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mnemonic-open-config-'))
  paths = resolvePaths({ home, env: {}, homedir: '/users/ada' })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('openConfig', () => {
  it('has the defaults of the schema', () => {
    expect(defaultConfig()).toEqual(configSchema.parse({}))
  })

  it('gives what loadConfig gives where nothing is set', async () => {
    expect(await openConfig({ paths, env: {} })).toEqual(loadConfig({ paths, env: {} }))
  })

  it.each([
    ['a variable', { env: { MNEMONIC_TIMEZONE: 'Asia/Tokyo' } }],
    ['an option', { env: {}, overrides: { 'search.limit': 3 } }],
    ['the agent', { env: {}, agent: 'all' }],
  ])('obeys %s', async (_, options) => {
    const opened = await openConfig({ paths, ...options })
    expect(opened).toEqual(loadConfig({ paths, ...options }))
    expect(opened.config).not.toEqual(defaultConfig())
  })

  it('obeys config.yaml', async () => {
    writeFileSync(paths.config, 'search:\n  limit: 3\n', { mode: 0o600 })
    expect((await openConfig({ paths, env: {} })).config.search.limit).toBe(3)
  })

  it('refuses a config.yaml that leads nowhere or is a folder, as loadConfig does', async () => {
    symlinkSync(join(home, 'gone'), paths.config)
    await expect(openConfig({ paths, env: {} })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    rmSync(paths.config)
    mkdirSync(paths.config)
    await expect(openConfig({ paths, env: {} })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
