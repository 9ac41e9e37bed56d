import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keptConfig } from './kept-config.ts'
import { loadConfig } from './load.ts'
import { resolvePaths } from './paths.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kept-config-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const paths = () => resolvePaths({ home, env: {} })
const write = (text: string) => writeFileSync(paths().config, text, { mode: 0o600 })
const file = () => join(home, 'code', 'config.json')
const kept = (more: object = {}) => keptConfig({ paths: paths(), env: {}, ...more })
/** Marks the cached copy through its agent name. */
const marked = () => {
  const read = JSON.parse(readFileSync(file(), 'utf8')) as { loaded: { config: { agent: string } } }
  read.loaded.config.agent = 'taken'
  writeFileSync(file(), JSON.stringify(read))
}

it('gives what loading gives, and loads nothing the second time', async () => {
  write('agent: ada\nagents: { defaults: { memory: { read: { budget_ms: 300 } } } }\nsources: { codex: { paths: ["~/x"] } }\n')
  const loaded = loadConfig({ paths: paths(), env: {} })
  expect(await kept()).toEqual(loaded)
  expect(await kept()).toEqual(loaded)
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600)
  marked()
  expect((await kept()).config.agent).toBe('taken')
})

it.each<[string, object, () => void]>([
  ['the file', {}, () => write('agent: eve\n')],
  ['its rights', {}, () => chmodSync(paths().config, 0o644)],
  ['a variable', { env: { MNEMONIC_TIMEZONE: 'Europe/Berlin' } }, () => undefined],
  ['an option', { overrides: { 'search.limit': 3 } }, () => undefined],
  ['the agent', { agent: 'bob' }, () => undefined],
  ['the home of the user', { homedir: '/elsewhere' }, () => undefined],
])('is loaded anew where %s changed', async (_, more, change) => {
  write('agent: ada\n')
  await kept()
  marked()
  change()
  expect((await kept(more)).config.agent).not.toBe('taken')
})

it('keeps nothing where there is no file, nothing that is not valid, and takes nothing that is broken', async () => {
  await kept()
  expect(existsSync(file())).toBe(false)
  write('nonsense: 1\n')
  await expect(kept()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  expect(existsSync(file())).toBe(false)
  write('agent: ada\n')
  await kept()
  writeFileSync(file(), '{"made":')
  expect((await kept()).config.agent).toBe('ada')
})

it.skipIf(process.platform === 'win32')('takes nothing that another user could have written', async () => {
  write('agent: ada\n')
  await kept()
  marked()
  chmodSync(file(), 0o666)
  expect((await kept()).config.agent).toBe('ada')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

it('holds nothing of keys that are ignored, and no value of a variable that is named', async () => {
  write(
    'memorySearch: { experimental: { sessionMemory: hunter2 } }\nanalyze: { provider: openai, model: m, api_key_env: OPENAI_API_KEY }\n',
  )
  await kept({ env: { OPENAI_API_KEY: 'sk-hunter3' } })
  expect(readFileSync(file(), 'utf8')).not.toMatch(/hunter/)
})
