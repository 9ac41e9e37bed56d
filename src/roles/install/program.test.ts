import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testMachine } from '../../../test/helpers/install-machine.ts'
import { asCommandLine, findProgram, hookWords, isHookOf, isServer, requirePlainPaths } from './program.ts'

it('off the common folders it is the whole path, by the names that stay when a version changes', () => {
  const test = testMachine()
  mkdirSync(test.at('lib'))
  const binary = test.at('lib', 'bin.js')
  const node = test.at('lib', 'node-22')
  for (const file of [binary, node]) writeFileSync(file, '')
  symlinkSync(binary, join(test.bin, 'mnemonic'))
  symlinkSync(node, join(test.bin, 'node'))
  const places = { home: test.at('.mnemonic'), workspace: test.at('.agents') }
  const found = findProgram(test.machine, places, { binary, node })
  expect(found.words).toEqual([join(test.bin, 'node'), join(test.bin, 'mnemonic')])
  expect(found.options).toEqual([])
  expect(found.notes[0]).toContain(join(test.bin, 'mnemonic'))
})

it('another mnemonic on the PATH is not taken for this one', () => {
  const test = testMachine()
  chmodSync(test.script('mnemonic', 'exit 0'), 0o755)
  const { words } = findProgram(test.machine, { home: '/m', workspace: '/w' }, { binary: '/opt/m/cli/bin.js', node: '/opt/node' })
  expect(words).toEqual(['/opt/node', '/opt/m/cli/bin.js'])
})

it('a home of its own is named in every call; a run from the cache of npx is warned about', () => {
  const test = testMachine()
  const found = findProgram(
    test.machine,
    { home: '/data/m', workspace: test.at('.agents') },
    { binary: '/u/.npm/_npx/1/bin.js', node: '/opt/node' },
  )
  expect(hookWords(found, 'codex', 'stop')).toEqual(['/opt/node', '/u/.npm/_npx/1/bin.js', 'hook', 'codex', 'stop', '--home', '/data/m'])
  expect(found.notes[0]).toContain('npm install -g')
})

it('run by npx from a clone, it is the file of the clone: the link that npx made goes with its cache', () => {
  const test = testMachine()
  const cache = test.at('.npm', '_npx', '1', 'node_modules', '.bin')
  const binary = test.at('clone', 'bin.js')
  for (const folder of [cache, test.at('clone')]) mkdirSync(folder, { recursive: true })
  writeFileSync(binary, '')
  symlinkSync(binary, join(cache, 'mnemonic'))
  const machine = { ...test.machine, env: { ...test.machine.env, PATH: `${cache}:${test.bin}` } }
  const found = findProgram(machine, { home: test.at('.mnemonic'), workspace: test.at('.agents') }, { binary, node: '/opt/node' })
  expect(found.words).toEqual(['/opt/node', binary])
  expect(found.notes[0]).toContain(binary)
})

it('ours are known again, whatever their path, and no others', () => {
  const machine = testMachine().machine
  const isStop = isHookOf('claude-code', 'stop')
  for (const words of [
    ['mnemonic'],
    ['/usr/bin/node', '/a b/cli/bin.js'],
    ['/n', "/it's/bin/mnemonic"],
    ['C:/n.exe', 'C:/x/mnemonic.cmd'],
  ]) {
    const call = { words: words as [string, ...string[]], options: ['--home', '/x y'], notes: [] }
    expect(isStop({ command: asCommandLine(machine, hookWords(call, 'claude-code', 'stop')) })).toBe(true)
    expect(isServer({ command: words[0], args: [...words.slice(1), 'mcp', '--home', '/x'] })).toBe(true)
    expect(isServer({ command: [...words, 'mcp'] })).toBe(true)
  }
  for (const command of [
    'mnemonic hook claude-code stopped',
    'mnemonic hook codex stop',
    'my-mnemonic-hook claude-code stop',
    'echo mnemonic; hook claude-code stop',
    5,
  ])
    expect(isStop({ command })).toBe(false)
  for (const other of [
    { command: 'npx', args: ['mnemonic-mcp'] },
    { command: 'mnemonic', args: ['serve'] },
    { url: 'http://x' },
    null,
    'mnemonic mcp',
  ])
    expect(isServer(other)).toBe(false)
})

it('refuses a path that would be a line of its own in a crontab or a unit', () => {
  const { machine } = testMachine()
  for (const home of ['/m\n* * * * * touch /tmp/x', '/m\rx', '/m\u0000'])
    expect(() => requirePlainPaths(findProgram(machine, { home, workspace: '/w' }))).toThrowError(
      expect.objectContaining({ code: 'USAGE' }),
    )
  requirePlainPaths(findProgram(machine, { home: '/my home’s 100% "m"', workspace: '/w' }))
})
