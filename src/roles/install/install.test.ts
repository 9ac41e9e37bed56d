import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { type TestMachine, testMachine } from '../../../test/helpers/install-machine.ts'
import { hookEvent, hookHarness } from '../hooks/harnesses.ts'
import { HARNESSES, harnessCalled } from './harnesses.ts'
import { install, registeredIn, uninstall } from './install.ts'

const NAMES = HARNESSES.map(({ name }) => name).filter((name) => name !== 'timer')

const USED: Record<string, string> = {
  '.claude/settings.json':
    '{\n\t// mine\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [{ "matcher": "", "hooks": [{ "type": "command", "command": "say done" }] }]\n\t}\n}\n',
  '.claude.json': '{"numStartups":3,"projects":{"/a":{"mcpServers":{}}},"mcpServers":{"x":{"type":"stdio","command":"y"}}}',
  '.codex/config.toml': '# mine\r\nmodel = "gpt-5"\r\n\r\n[mcp_servers.x]\r\ncommand = "y"',
  '.codex/hooks.json': '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say" }] }\n    ]\n  }\n}',
  '.cursor/mcp.json': '\uFEFF{\r\n    "mcpServers": {}\r\n}\r\n',
  '.cursor/hooks.json': '{ "version": 1, "hooks": { "stop": [{ "command": "./mine.sh" }] } }\n',
  '.config/opencode/opencode.jsonc':
    '{\n  "$schema": "x", // the schema\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] },\n  },\n}\n',
  '.gemini/settings.json': '',
  '.openclaw/openclaw.json': '{\n  "plugins": { "allow": ["x"] },\n  "mcp": { "servers": {} },\n}\n',
}

function used(): TestMachine {
  const test = testMachine()
  for (const [path, text] of Object.entries(USED)) chmodSync(test.write(path, text), 0o640)
  return test
}

describe.each(NAMES)('%s', (name) => {
  const harness = harnessCalled(name)

  it('every hook that is written is one that is answered', () => {
    const test = testMachine()
    install(harness, test)
    const written = Object.values(test.files()).flatMap((text) => [...text.matchAll(/mnemonic hook ([\w-]+) (\w+)/g)])
    const answered = hookHarness(name)
    for (const [, called, event = ''] of written) {
      expect(called).toBe(name)
      expect(answered === undefined ? undefined : hookEvent(answered, event)).toBe(event)
    }
    expect(written.length).toBeGreaterThanOrEqual(
      harness.parts(test.machine, test.program).some(({ path }) => path.endsWith('.js')) ? 0 : 5,
    )
  })

  it('twice is once, and taken out again every byte and mode is as before', () => {
    const test = used()
    const before = test.files()
    expect(registeredIn(harness, test).found).toEqual([])
    expect(install(harness, test)).toMatchObject({ name, changed: true, dry_run: false })
    const after = test.files()
    expect(install(harness, test)).toMatchObject({ changed: false })
    expect(test.files()).toEqual(after)
    expect(registeredIn(harness, test).found.map(({ path }) => path)).toEqual(
      harness.parts(test.machine, test.program).map(({ path }) => path),
    )
    for (const path of Object.keys(USED).filter((one) => one in after && after[one] !== before[one]))
      expect(after[`${path}.mnemonic-backup`]).toBe(`600 ${before[path]?.slice(4)}`)
    expect(uninstall(harness, test)).toMatchObject({ changed: true })
    expect(test.files()).toEqual(before)
    expect(uninstall(harness, test)).toMatchObject({ changed: false })
  })

  it('on a machine without it, what was made goes', () => {
    const test = testMachine()
    expect(install(harness, test).notes[0]).toContain('was found on this machine')
    uninstall(harness, test)
    expect(test.files()).toEqual({})
  })

  it('a dry run shows each line and changes nothing', () => {
    const test = used()
    const before = test.files()
    const planned = install(harness, test, { dryRun: true })
    expect(planned.changed).toBe(true)
    expect(planned.files.map(({ diff }) => diff).join('\n')).toMatch(/^\+.*mnemonic/m)
    expect(test.files()).toEqual(before)
    install(harness, test)
    const installed = test.files()
    expect(
      uninstall(harness, test, { dryRun: true })
        .files.map(({ diff }) => diff)
        .join('\n'),
    ).toMatch(/^-.*mnemonic/m)
    expect(test.files()).toEqual(installed)
  })

  it('works without the backups, and where another version installed it', () => {
    const test = used()
    install(harness, { ...test, program: { words: ['/opt/node 20/node', '/opt/x/cli/bin.js'], options: ['--home', '/data/m'], notes: [] } })
    for (const path of Object.keys(test.files()).filter((one) => one.endsWith('.mnemonic-backup'))) rmSync(test.at(path))
    expect(install(harness, test).changed).toBe(true)
    expect(JSON.stringify(test.files())).not.toContain('/opt/x')
    uninstall(harness, test)
    expect(JSON.stringify(test.files())).not.toMatch(/mnemonic/i)
  })
})

it('what a person writes after it is installed stays when it goes', () => {
  const test = used()
  install(harnessCalled('claude-code'), test)
  const edited = test
    .read('.claude/settings.json')
    .replace('"model": "opus"', '"model": "sonnet", // changed')
    .replace('say done', 'say all done')
  test.write('.claude/settings.json', edited)
  uninstall(harnessCalled('claude-code'), test)
  expect(test.read('.claude/settings.json')).toBe(
    (USED['.claude/settings.json'] ?? '').replace('"model": "opus"', '"model": "sonnet", // changed').replace('say done', 'say all done'),
  )
})

it('a second home, or none, changes nothing about what is found and removed', () => {
  const test = used()
  const before = test.files()
  install(harnessCalled('codex'), { ...test, program: { ...test.program, options: ['--home', '/one'] } })
  uninstall(harnessCalled('codex'), { ...test, program: { ...test.program, options: ['--home', '/another'] } })
  expect(test.files()).toEqual(before)
})

it('a link stays a link, and the file behind it is changed', () => {
  const test = testMachine()
  const target = test.write('dotfiles/claude.json', '{\n  "model": "opus"\n}\n')
  mkdirSync(test.at('.claude'))
  symlinkSync('../dotfiles/claude.json', test.at('.claude', 'settings.json'))
  install(harnessCalled('claude-code'), test)
  expect(readlinkSync(test.at('.claude', 'settings.json'))).toBe('../dotfiles/claude.json')
  expect(readFileSync(target, 'utf8')).toContain('mnemonic hook claude-code stop')
  expect(existsSync(test.at('.claude', 'settings.json.mnemonic-backup'))).toBe(true)
  uninstall(harnessCalled('claude-code'), test)
  expect(lstatSync(test.at('.claude', 'settings.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(target, 'utf8')).toBe('{\n  "model": "opus"\n}\n')
})

it('where one of two files cannot be changed, the other is not changed either', () => {
  const broken: [string, (test: TestMachine) => void, string, RegExp][] = [
    ['invalid', (test) => test.write('.claude.json', '{\n  "a": 1,\n  b\n}'), 'CONFIG_INVALID', /\.claude\.json, line 3/],
    ['not text', (test) => test.write('.claude.json', new Uint8Array([0x7b, 0xff, 0x7d])), 'CONFIG_INVALID', /not UTF-8/],
    ['read-only', (test) => chmodSync(test.write('.claude.json', '{}'), 0o400), 'STORAGE_ERROR', /is read-only/],
    ['a folder', (test) => mkdirSync(test.at('.claude.json')), 'STORAGE_ERROR', /EISDIR/],
    ['a link to nothing', (test) => symlinkSync('nowhere', test.at('.claude.json')), 'STORAGE_ERROR', /ENOENT/],
    [
      'foreign',
      (test) => test.write('.claude.json', '{"mcpServers":{"mnemonic":{"command":"other"}}}'),
      'CONFIG_INVALID',
      /not Mnemonic's/,
    ],
  ]
  for (const [, make, code, message] of broken) {
    const test = testMachine()
    test.write('.claude/settings.json', '{}')
    make(test)
    const before = { ...test.files() }
    expect(() => install(harnessCalled('claude-code'), test)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    )
    expect(test.files()).toEqual(before)
  }
})

it.skipIf(process.getuid?.() === 0)('a folder that nobody may write to keeps both files as they are', () => {
  const test = testMachine()
  test.write('.cursor/mcp.json', '{}')
  chmodSync(test.at('.cursor'), 0o500)
  expect(() => install(harnessCalled('cursor'), test)).toThrow(expect.objectContaining({ code: 'STORAGE_ERROR' }))
  chmodSync(test.at('.cursor'), 0o700)
  expect(test.files()).toEqual({ '.cursor/mcp.json': `${(statSync(test.at('.cursor/mcp.json')).mode & 0o777).toString(8)} {}` })
})

it('a plugin of the same name that is not ours is not overwritten, nor removed', () => {
  const test = testMachine()
  test.write('.config/opencode/plugins/mnemonic.js', 'export const Other = async () => ({})\n')
  const before = test.files()
  expect(() => install(harnessCalled('opencode'), test)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(uninstall(harnessCalled('opencode'), test).changed).toBe(false)
  expect(test.files()).toEqual(before)
})

it('what the harness writes in between is kept', () => {
  const test = testMachine()
  const path = test.write('.claude.json', '{"numStartups":1}')
  const harness = harnessCalled('claude-code')
  let wrote = 0
  const busy = {
    ...harness,
    parts: (...given: Parameters<typeof harness.parts>) =>
      harness.parts(...given).map((part) => ({
        ...part,
        add(text: string | undefined) {
          const added = part.add(text)
          // Between the installer's read and its write.
          if (part.path === path && wrote++ < 2) writeFileSync(path, `{"numStartups":${wrote + 1}}`)
          return added
        },
      })),
  }
  install(busy, test)
  expect(JSON.parse(test.read('.claude.json'))).toMatchObject({ numStartups: 3, mcpServers: { mnemonic: { command: 'mnemonic' } } })
})

it('the folders that harnesses are told to use are used', () => {
  const root = testMachine().at()
  const env = {
    CLAUDE_CONFIG_DIR: join(root, 'c'),
    CODEX_HOME: join(root, 'x'),
    XDG_CONFIG_HOME: join(root, 'g'),
    GEMINI_CLI_HOME: join(root, 'm'),
    OPENCLAW_STATE_DIR: join(root, 'o'),
  }
  const { machine, program, at } = testMachine(env)
  const files = HARNESSES.flatMap((harness) => harness.parts(machine, program).map(({ path }) => path))
  for (const path of [
    'c/settings.json',
    'c/.claude.json',
    'x/config.toml',
    'g/opencode/opencode.json',
    'm/.gemini/settings.json',
    'o/openclaw.json',
  ])
    expect(files).toContain(join(root, path))
  expect(files.filter((path) => path.startsWith(at()))).toEqual([at('.cursor', 'mcp.json'), at('.cursor', 'hooks.json')])
})

it('each harness gets its events by its own names and its time limits in its own unit', () => {
  const test = testMachine()
  for (const name of NAMES) install(harnessCalled(name), test)
  const limits = (path: string) => {
    const { hooks } = parse(test.read(path)) as { hooks: Record<string, { timeout?: number; hooks?: { timeout: number }[] }[]> }
    return Object.fromEntries(Object.entries(hooks).map(([event, [first]]) => [event, first?.timeout ?? first?.hooks?.[0]?.timeout]))
  }
  expect(limits('.claude/settings.json')).toEqual({
    SessionStart: 10,
    UserPromptSubmit: 5,
    Stop: 10,
    SessionEnd: 10,
    PreCompact: 10,
    PreToolUse: 5,
    PostToolUseFailure: 5,
  })
  expect(limits('.codex/hooks.json')).toEqual({
    SessionStart: 10,
    UserPromptSubmit: 5,
    Stop: 10,
    SessionEnd: 3,
    PreCompact: 10,
    PreToolUse: 5,
    PostToolUse: 5,
  })
  expect(limits('.cursor/hooks.json')).toEqual({
    sessionStart: 10,
    beforeSubmitPrompt: 5,
    stop: 10,
    sessionEnd: 10,
    preCompact: 10,
    postToolUse: 5,
  })
  expect(limits('.gemini/settings.json')).toEqual({
    SessionStart: 10_000,
    BeforeAgent: 5000,
    AfterAgent: 10_000,
    SessionEnd: 10_000,
    PreCompress: 10_000,
    AfterTool: 5000,
  })
})

it('tool calls are told of those tools alone that memory may have something for, and all of it goes again', () => {
  const test = testMachine()
  const own = '{\n  "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n'
  test.write('.claude/settings.json', own)
  for (const name of NAMES) install(harnessCalled(name), test)
  const matchers = (path: string, event: string) => {
    const { hooks } = parse(test.read(path)) as { hooks: Record<string, { matcher?: string }[]> }
    return hooks[event]?.map(({ matcher }) => matcher)
  }
  expect(matchers('.claude/settings.json', 'PreToolUse')).toEqual(['Bash', 'Bash|Edit|MultiEdit|Write|NotebookEdit'])
  expect(matchers('.claude/settings.json', 'PostToolUseFailure')).toEqual([undefined])
  expect(matchers('.codex/hooks.json', 'PostToolUse')).toEqual(['^(Bash|apply_patch)$'])
  expect(matchers('.cursor/hooks.json', 'postToolUse')).toEqual(['Shell'])
  expect(matchers('.gemini/settings.json', 'AfterTool')).toEqual(['run_shell_command|replace|write_file|edit'])
  uninstall(harnessCalled('claude-code'), test)
  expect(test.read('.claude/settings.json')).toBe(own)
})

it('a diff says nothing secret', () => {
  const test = testMachine()
  test.write(
    '.cursor/mcp.json',
    '{\n  "mcpServers": {\n    "x": { "env": { "OPENAI_API_KEY": "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg" } }\n  }\n}\n',
  )
  const diff = install(harnessCalled('cursor'), test, { dryRun: true }).files[0]?.diff
  expect(diff).toContain('OPENAI_API_KEY')
  expect(diff).not.toContain('Zm9vYmFyYmF6')
})
