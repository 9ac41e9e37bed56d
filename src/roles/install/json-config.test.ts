import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { jsonConfig } from './json-config.ts'
import { isHookOf, isServer } from './program.ts'

const hook = (event: string, name: string) => ({
  kind: 'hook' as const,
  path: ['hooks', name],
  grouped: true,
  handler: { type: 'command', command: `mnemonic hook claude-code ${event}`, timeout: 5 },
  isOurs: isHookOf('claude-code', event),
})
const server = (command = 'mnemonic', args = ['mcp']) => ({
  kind: 'key' as const,
  path: ['mcpServers', 'mnemonic'],
  value: { command, args },
  isOurs: isServer,
})
const config = jsonConfig({ path: '/x.json', what: 'x', entries: [server(), hook('prompt', 'UserPromptSubmit'), hook('stop', 'Stop')] })

const LAYOUTS: Record<string, string> = {
  empty: '{}',
  'empty with a line': '{}\n',
  'two spaces': '{\n  "model": "opus"\n}\n',
  'four spaces, no end': '{\n    "model": "opus"\n}',
  tabs: '{\n\t"a": {\n\t\t"b": 1\n\t},\n\t"hooks": {}\n}\n',
  'carriage returns': '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "x": { "command": "x" }\r\n  }\r\n}\r\n',
  minified: '{"a":[1,2],"mcpServers":{"x":{"command":"x"}},"hooks":{"Stop":[]}}',
  'comments everywhere':
    '// first\n{\n  /* a */ "a": 1, // b\n  "hooks": {\n    // before\n    "Stop": [\n      // one\n      { "hooks": [{ "type": "command", "command": "say" }] } // tail\n      // last\n    ]\n  }\n  // end\n}\n// after\n',
  'trailing commas':
    '{\n  "mcpServers": {\n    "x": { "command": "x", }, // tail\n  },\n  "hooks": { "Stop": [ { "hooks": [], }, ], },\n}\n',
  'only a comment': '{\n  // nothing yet\n}\n',
  'one line in many':
    '{\n  "mcpServers": { "x": { "command": "x" } },\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say" }] }] }\n}\n',
  'braces in strings': '{\n  "a": "} // { [",\n  "mcpServers": {\n    "//": { "command": "\\"}" }\n  }\n}\n',
}

describe.each(Object.entries(LAYOUTS))('a file with %s', (_, text) => {
  const added = config.add(text)

  it('holds what it held, and ours', () => {
    const tree = parse(added)
    expect(tree.mcpServers.mnemonic).toEqual({ command: 'mnemonic', args: ['mcp'] })
    expect(JSON.stringify(tree.hooks.UserPromptSubmit)).toContain('mnemonic hook claude-code prompt')
    const before = parse(text)
    for (const key of Object.keys(before).filter((name) => !['mcpServers', 'hooks'].includes(name))) expect(tree[key]).toEqual(before[key])
    for (const [name, value] of Object.entries(before.mcpServers ?? {})) expect(tree.mcpServers[name]).toEqual(value)
    expect(tree.hooks.Stop.slice(0, before.hooks?.Stop?.length ?? 0)).toEqual(before.hooks?.Stop ?? [])
  })

  it('keeps every comment, its newlines and its lines in their order', () => {
    for (const comment of text.match(/\/\/ \w+|\/\* \w+ \*\//g) ?? []) expect(added).toContain(comment)
    if (text.includes('\r\n')) expect(added.replaceAll('\r\n', '')).not.toContain('\n')
    else expect(added).not.toContain('\r')
    if (!text.includes('\n')) expect(added).not.toContain(text === '{}' ? '\r' : '\n')
  })

  it('does not change when it is added again', () => expect(config.add(added)).toBe(added))

  it('comes back byte for byte', () => expect(config.remove(added, text)).toBe(text))

  it('keeps what was changed since', () => {
    const edited = added.replace(/^\{|(?<=\n)\{/m, '{ "later": "mine",')
    const tree = parse(config.remove(edited, text) ?? '')
    expect(tree.later).toBe('mine')
    expect(JSON.stringify(tree)).not.toContain('mnemonic')
    delete tree.later
    expect(tree).toEqual(parse(text))
  })

  it('loses ours, and no more than that, where the backup is gone', () => {
    const left = config.remove(`${added}\n`, undefined) ?? ''
    expect(left).not.toContain('mnemonic')
    for (const comment of text.match(/\/\/ \w+|\/\* \w+ \*\//g) ?? []) expect(left).toContain(comment)
  })
})

it('a file that was made for ours goes with it, unless something was written into it', () => {
  const made = config.add(undefined)
  expect(config.remove(made, undefined)).toBeUndefined()
  expect(parse(config.remove(made.replace('{', '{\n  "mine": 1,'), undefined) ?? '')).toEqual({ mine: 1 })
})

it('an empty file comes back empty', () => {
  expect(config.remove(config.add(''), '')).toBe('')
  expect(config.remove(config.add(' \n'), ' \n')).toBe(' \n')
})

it('follows a program that moved, and keeps what a person changed in the entry', () => {
  const tuned = config.add('{}').replace('"timeout": 5', '"timeout": 60').replace('"args": ["mcp"]', '"args": ["mcp"], "env": { "A": "b" }')
  const moved = jsonConfig({
    path: '/x.json',
    what: 'x',
    entries: [server('/opt/node', ['/opt/mnemonic', 'mcp']), hook('prompt', 'UserPromptSubmit')],
  })
  const tree = parse(moved.add(tuned))
  expect(tree.mcpServers.mnemonic).toEqual({ command: '/opt/node', args: ['/opt/mnemonic', 'mcp'], env: { A: 'b' } })
  expect(tree.hooks.UserPromptSubmit[0].hooks[0].timeout).toBe(60)
  expect(parse(moved.remove(moved.add(tuned), '{}') ?? '').mcpServers).toBeUndefined()
})

it('a command that a person put into our group stays', () => {
  const mixed = config
    .add('{}')
    .replace('"timeout": 5\n', '"timeout": 5\n          },\n          {\n            "type": "command",\n            "command": "mine"\n')
  const tree = parse(config.remove(mixed, '{}') ?? '')
  expect(tree.hooks.UserPromptSubmit).toEqual([{ hooks: [{ type: 'command', command: 'mine' }] }])
  expect(tree.hooks.Stop).toBeUndefined()
})

it.each([
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3'],
  ['{\n  "a": 1,\n', 'line 3'],
  ['[]', 'line 1: the file is not an object'],
  ['{\n "hooks": []\n}', 'line 2: hooks is not an object'],
  ['{\n "hooks": {\n  "Stop": {}\n }\n}', 'line 3: hooks.Stop is not a list'],
  ['{\n "mcpServers": null\n}', 'line 2: mcpServers is not an object'],
  [
    '{\n "mcpServers": {\n  "mnemonic": { "command": "npx", "args": ["other-mnemonic-server"] }\n }\n}',
    "line 3: mcpServers.mnemonic is there and is not Mnemonic's",
  ],
  ['{ "hooks": { "Stop": [] }, "hooks": { "Stop": [] } }', 'cannot be changed'],
])('%s is left alone, with the reason', (text, reason) => {
  expect(() => config.add(text)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(reason) }))
})
