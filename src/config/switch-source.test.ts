import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from './load.ts'
import { resolvePaths } from './paths.ts'
import { switchSource } from './switch-source.ts'

function home(text?: string): { file: string; enabled: (name: 'chatgpt' | 'codex') => boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'mnemonic-switch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const paths = resolvePaths({ home: join(folder, 'home'), workspace: folder, env: {} })
  const file = text === undefined ? paths.config : join(folder, 'config.yaml')
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 })
  return { file, enabled: (name) => loadConfig({ paths: { ...paths, config: file }, env: {} }).config.sources[name].enabled }
}

it('makes a file where there is none, for the owner alone', () => {
  const { file, enabled } = home()
  expect(switchSource(file, 'chatgpt', true)).toEqual({ name: 'chatgpt', enabled: true, changed: true, config: file })
  expect(readFileSync(file, 'utf8')).toBe('sources:\n  chatgpt:\n    enabled: true\n')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(enabled('chatgpt')).toBe(true)
  switchSource(file, 'chatgpt', false)
  expect(enabled('chatgpt')).toBe(false)
  expect(readdirSync(join(file, '..'))).toEqual(['config.yaml'])
})

it('keeps comments, order, quotes, numbers and everything else as it was written', () => {
  const text = `# who I am
owner:
  name: "Ada" # with quotes
  phones: [ +491701234567 ] # no quotes needed
  emails:
    - ada@example.com

# what stays out
ignore:
  projects:
    - "~/private/**"
    - '*.tmp'
    - a-very-long-glob-that-goes-on-and-on/and-on-and-on/and-on-and-on/and-on-and-on/and-on-and-on/with spaces in it/**

sources:
  # my editor
  cursor:
    enabled: false
  chatgpt: { enabled: false, paths: [ /data/exports ] } # later
embedding:
  daily_usd: 1.50
`
  const { file, enabled } = home(text)
  expect(switchSource(file, 'chatgpt', true).changed).toBe(true)
  const after = readFileSync(file, 'utf8')
  expect(after).toBe(text.replace('enabled: false, paths', 'enabled: true, paths'))
  expect(enabled('chatgpt')).toBe(true)
  expect(switchSource(file, 'chatgpt', true).changed).toBe(false)
  switchSource(file, 'codex', false)
  expect(enabled('codex')).toBe(false)
  expect(readFileSync(file, 'utf8')).toContain('# my editor')
})

it.each([
  '',
  '# nothing yet\n',
  'sources:\n',
  'sources:\n  chatgpt:\n',
  'sources: {}\n',
  'sources: # of mine\n',
  'sources:\n  chatgpt: # exports\n',
  'sources: { chatgpt: {} }',
  '---\nagent: main\n',
  'agent: main\r\n',
])('fills %j', (text) => {
  const { file, enabled } = home(text)
  switchSource(file, 'chatgpt', true)
  expect(enabled('chatgpt')).toBe(true)
  if (text.includes('#')) expect(readFileSync(file, 'utf8')).toContain(text.slice(text.indexOf('#')).trim())
})

it('refuses a name that is none, and a file that cannot be read, and changes nothing', () => {
  const { file } = home('agent: main\n')
  expect(() => switchSource(file, 'chatgtp', true)).toThrow(expect.objectContaining({ code: 'USAGE', hint: 'Did you mean chatgpt?' }))
  expect(() => switchSource(file, '__proto__', true)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  expect(readFileSync(file, 'utf8')).toBe('agent: main\n')
  const broken = home('agent: [main\n')
  expect(() => switchSource(broken.file, 'chatgpt', true)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(readFileSync(broken.file, 'utf8')).toBe('agent: [main\n')
  expect(readdirSync(join(broken.file, '..'))).toEqual(['config.yaml'])
})

it.skipIf(process.platform === 'win32')('a file that others can read becomes the owner’s, and a link stays a link', () => {
  const { file } = home('agent: main\n')
  chmodSync(file, 0o644)
  const link = join(file, '..', 'link.yaml')
  symlinkSync(file, link)
  switchSource(link, 'chatgpt', true)
  expect(readlinkSync(link)).toBe(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain('chatgpt')
  expect(existsSync(link)).toBe(true)
})

it.each(['imessage', 'calendar'])('%s, which this version cannot read, is refused, and may be switched off', (name) => {
  const { file } = home()
  expect(() => switchSource(file, name, true)).toThrow(
    expect.objectContaining({ code: 'USAGE', message: `this version cannot read ${name} yet` }),
  )
  expect(existsSync(file)).toBe(false)
  expect(switchSource(file, name, false)).toMatchObject({ enabled: false })
})
