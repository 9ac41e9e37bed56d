import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { isServer } from './program.ts'
import { tomlConfig } from './toml-config.ts'

const configFor = (command: string, args: string[]) =>
  tomlConfig({ path: '/config.toml', what: 'x', table: ['mcp_servers', 'mnemonic'], value: { command, args }, isOurs: isServer })
const config = configFor('mnemonic', ['mcp'])

const TEXTS: Record<string, string> = {
  empty: '',
  'one key': 'model = "gpt-5" # mine\n',
  'no end': '[mcp_servers.x]\ncommand = "x"',
  'carriage returns': '# mine\r\nmodel = "a"\r\n\r\n[profiles.x]\r\nmodel = "b"\r\n',
  'tables after each other':
    '[mcp_servers.x]\ncommand = "x"\nargs = [\n  "a", # b\n]\n\n# about projects\n[projects."/home/a"]\ntrust_level = "trusted"\n',
  'long strings': 'notes = """\n[mcp_servers.mnemonic]\nnot a table\n"""\n',
}

describe.each(Object.entries(TEXTS))('a file with %s', (_, text) => {
  const added = config.add(text)

  it('says what it said, and ours', () => {
    const { mcp_servers: servers, ...rest } = parse(added) as { mcp_servers: Record<string, unknown> }
    const { mnemonic, ...others } = servers
    expect(mnemonic).toEqual({ command: 'mnemonic', args: ['mcp'] })
    const { mcp_servers: before = {}, ...same } = parse(text) as { mcp_servers?: object }
    expect([others, rest]).toEqual([before, same])
    expect(added.startsWith(text)).toBe(true)
    expect(config.add(added)).toBe(added)
  })

  it('comes back byte for byte', () => expect(config.remove(added, text === '' ? undefined : text)).toBe(text === '' ? undefined : text))

  it('keeps what came since, also where the harness wrote it behind our table', () => {
    const later = `${added}\n[hooks.state."a"]\ntrusted_hash = "b"\n\n# about\n[mcp_servers.mnemonic.tools.search]\napproval_mode = "approve"\n\n# mine\n[tui]\ntheme = "dark"\n`
    const left = config.remove(later, text) ?? ''
    expect(parse(left)).toEqual({ ...parse(text), hooks: { state: { a: { trusted_hash: 'b' } } }, tui: { theme: 'dark' } })
    expect(left).toContain('# mine\n[tui]')
    expect(left).not.toContain('"mnemonic')
  })
})

it('follows a program that moved, in its own table only', () => {
  const text = '[mcp_servers.x]\ncommand = "x"\nargs = ["y"]\n'
  const tuned = config.add(text).replace('args = ["mcp"]', 'args = ["mcp"]\nstartup_timeout_sec = 30')
  const moved = configFor('/opt/node', ['/opt/mnemonic', 'mcp']).add(tuned)
  expect(parse(moved).mcp_servers).toEqual({
    x: { command: 'x', args: ['y'] },
    mnemonic: { command: '/opt/node', args: ['/opt/mnemonic', 'mcp'], startup_timeout_sec: 30 },
  })
  expect(parse(config.remove(moved, text) ?? '')).toEqual(parse(text))
})

it.each([
  ['model = \n', 'line 1'],
  ['a = 1\n\na = 2\n', 'line 3'],
  ['[mcp_servers.mnemonic]\ncommand = "npx"\nargs = ["other"]\n', "line 1: mcp_servers.mnemonic is there and is not Mnemonic's"],
])('%s is left alone, with the reason', (text, reason) => {
  expect(() => config.add(text)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(reason) }))
})

it('a table in another form than ours is named, not guessed at', () => {
  const inline = 'mcp_servers = { mnemonic = { command = "mnemonic", args = ["mcp"] } }\n'
  expect(config.add(inline)).toBe(inline)
  expect(() => config.remove(inline, undefined)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
})
