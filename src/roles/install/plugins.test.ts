/** Runs the JavaScript plugins as their harness does, with a fake `mnemonic`. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { testMachine } from '../../../test/helpers/install-machine.ts'
import { hookEvent, hookHarness } from '../hooks/harnesses.ts'
import { claudePlugin, requireNoEntries, requireNoPlugin } from './claude-plugin.ts'
import { harnessCalled } from './harnesses.ts'
import { install, uninstall } from './install.ts'

function fake(answer: string) {
  const test = testMachine()
  const script = `const { appendFileSync, readFileSync } = require('node:fs')
const [, , , harness, event] = process.argv
appendFileSync(${JSON.stringify(join(test.bin, 'told'))}, JSON.stringify({ harness, event, ...JSON.parse(readFileSync(0, 'utf8')) }) + '\\n')
${answer}`
  mkdirSync(join(test.bin, 'cli'))
  writeFileSync(join(test.bin, 'cli', 'bin.js'), script)
  const program = { words: [process.execPath, join(test.bin, 'cli', 'bin.js')] as [string, string], options: [], notes: [] }
  const told = () =>
    readFileSync(join(test.bin, 'told'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { ...test, program, told }
}

const ANSWERS = `if (event === 'session_start') console.log('the brief')
if (event === 'prompt') console.log(JSON.stringify({ hookSpecificOutput: { additionalContext: 'the memory' } }))`

type Call = (...given: object[]) => unknown

async function load(path: string): Promise<Record<'server' | 'setup' | 'register', Call>> {
  // opencode runs it with Bun, which treats it as a module; Node goes by the extension.
  const module = path.replace(/\.js$/, '.mjs')
  copyFileSync(path, module)
  return (await import(pathToFileURL(module).href)).default
}

async function registered(path: string): Promise<Map<string, Call>> {
  const calls = new Map<string, Call>()
  const plugin = await load(path)
  plugin.register({ on: (name: string, call: Call) => calls.set(name, call) })
  return calls
}

it('opencode 1: brief and memory become one part of the first message, memory alone of the next', async () => {
  const test = fake(ANSWERS)
  install(harnessCalled('opencode'), test)
  const plugin = await load(test.at('.config/opencode/plugins/mnemonic.js'))
  const hooks = (await plugin.server({ directory: '/home/ada/shop' })) as Record<string, Call>
  const message = () => ({
    message: { id: 'msg_1', sessionID: 's1' },
    parts: [{ type: 'text', text: 'why sqlite?' }] as { type: string; text: string }[],
  })
  const first = message()
  await hooks['chat.message']?.({ sessionID: 's1' }, first)
  expect(first.parts[1]).toMatchObject({
    type: 'text',
    text: 'the brief\n\nthe memory',
    synthetic: true,
    messageID: 'msg_1',
    sessionID: 's1',
  })
  const next = message()
  await hooks['chat.message']?.({ sessionID: 's1' }, next)
  expect(next.parts[1]?.text).toBe('the memory')
  await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 's1' } } })
  await hooks['experimental.session.compacting']?.({ sessionID: 's1' }, {})
  expect(test.told()).toMatchObject([
    { harness: 'opencode', event: 'session_start', session_id: 's1', cwd: '/home/ada/shop', source: 'startup' },
    { event: 'prompt', prompt: 'why sqlite?' },
    { event: 'prompt' },
    { event: 'stop', session_id: 's1' },
    { event: 'pre_compact' },
  ])
  await hooks.event?.({ event: { type: 'session.created', properties: { info: { id: 's2', parentID: 's1' } } } })
  const child = message()
  await hooks['chat.message']?.({ sessionID: 's2' }, child)
  await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 's2' } } })
  expect(child.parts).toHaveLength(1)
  expect(test.told()).toHaveLength(5)
})

it('opencode 1: a command that failed gets what helped before; one that passed starts no program', async () => {
  const test = fake(`${ANSWERS}\nif (event === 'tool_failed') console.log('the fix')`)
  install(harnessCalled('opencode'), test)
  const plugin = await load(test.at('.config/opencode/plugins/mnemonic.js'))
  const hooks = (await plugin.server({ directory: '/home/ada/shop' })) as Record<string, Call>
  const input = { tool: 'bash', sessionID: 's1', callID: 'c1' }
  const ran = async (exit: number | undefined, more: object = {}) => {
    const output = { title: '', output: 'printed', metadata: { exit } }
    await hooks['tool.execute.before']?.({ ...input, ...more }, { args: { command: 'npm test' } })
    await hooks['tool.execute.after']?.({ ...input, ...more }, output)
    return output.output
  }
  expect(await ran(0)).toBe('printed')
  expect(await ran(undefined)).toBe('printed')
  await hooks['tool.execute.after']?.({ ...input, callID: 'unknown' }, undefined as never)
  expect(() => test.told()).toThrow('ENOENT')
  expect(await ran(1)).toBe('printed\n\nthe fix')
  expect(test.told()).toMatchObject([
    {
      event: 'tool_failed',
      session_id: 's1',
      tool_name: 'bash',
      tool_input: { command: 'npm test' },
      tool_response: { exit: 1, output: 'printed' },
    },
  ])
})

it('opencode 2: the same through its hooks; a context without sessions is left alone', async () => {
  const test = fake(ANSWERS)
  install(harnessCalled('opencode'), test)
  const plugin = await load(test.at('.config/opencode/plugins/mnemonic.js'))
  await plugin.setup({ agent: {} })
  const hooks = new Map<string, Call>()
  let hear: () => void = () => undefined
  const heard = new Promise<void>((resolve) => {
    hear = resolve
  })
  async function* events() {
    yield { type: 'session.execution.succeeded', data: { sessionID: 's2' } }
    // Runs once the first event has been handled.
    hear()
  }
  await plugin.setup({
    location: { directory: '/home/ada/shop' },
    session: { hook: async (name: string, call: Call) => void hooks.set(name, call) },
    event: { subscribe: events },
  })
  await hooks.get('prompt')?.({ sessionID: 's2', prompt: { text: 'why sqlite?' } })
  const system: object[] = []
  hooks.get('context')?.({ sessionID: 's2', system })
  expect(system).toEqual([{ type: 'text', text: 'the brief\n\nthe memory' }])
  hooks.get('context')?.({ sessionID: 'another', system })
  expect(system).toHaveLength(1)
  await heard
  expect(test.told()).toContainEqual(expect.objectContaining({ event: 'stop', session_id: 's2' }))
})

it('a hook that fails or says nothing adds nothing', async () => {
  for (const answer of ['process.exit(1)', '', 'console.log("{broken")', 'throw new Error("x")']) {
    const test = fake(answer)
    install(harnessCalled('openclaw'), test)
    const calls = await registered(test.at('.openclaw/extensions/mnemonic/index.js'))
    expect(await calls.get('before_prompt_build')?.({ prompt: 'x' }, { sessionId: 's', workspaceDir: '/w' })).toBeUndefined()
  }
})

it('OpenClaw: memory before the prompt, and the end of turns and sessions', async () => {
  const test = fake(ANSWERS)
  install(harnessCalled('openclaw'), test)
  const calls = await registered(test.at('.openclaw/extensions/mnemonic/index.js'))
  const context = { sessionId: 's', sessionKey: 'agent:max:main', agentId: 'max', workspaceDir: '/w' }
  expect(await calls.get('before_prompt_build')?.({ prompt: 'history and x', currentUserMessage: 'x' }, context)).toEqual({
    prependContext: 'the brief\n\nthe memory',
  })
  await calls.get('session_end')?.({ sessionId: 's', reason: 'idle' }, context)
  expect(test.told().slice(1)).toMatchObject([
    { event: 'prompt', prompt: 'x', session_id: 's', cwd: '/w' },
    { event: 'session_end', reason: 'idle' },
  ])
  const understood = ({ event, ...payload }: Record<string, unknown>) => {
    const harness = hookHarness('openclaw')
    const known = harness === undefined ? undefined : hookEvent(harness, String(event))
    return known === undefined ? undefined : harness?.call(known, payload)
  }
  expect(test.told().map(understood)).toMatchObject([
    { event: 'session_start', agent: 'max', session: 's', folder: '/w' },
    { event: 'prompt', agent: 'max', prompt: 'x' },
    { event: 'session_end', agent: 'max' },
  ])
  await calls.get('agent_end')?.({}, { ...context, sessionKey: 'agent:max:subagent:1' })
  expect(understood(test.told().at(-1))).toBeUndefined()
})

it('Claude Code as a plugin: a marketplace, a manifest, hooks, a server, a command; not beside the entries', () => {
  const test = testMachine()
  const folder = test.at('plugin')
  const report = install(claudePlugin(folder), test)
  expect(report.notes).toContain(`$ claude plugin marketplace add ${folder}`)
  const read = (path: string) => JSON.parse(test.read(join('plugin', path)))
  const market = read('.claude-plugin/marketplace.json')
  expect(market).toMatchObject({
    name: 'mnemonic',
    owner: { name: expect.any(String) },
    plugins: [{ name: 'mnemonic', source: './plugins/mnemonic' }],
  })
  expect(read('plugins/mnemonic/.claude-plugin/plugin.json').version).toBe(market.plugins[0].version)
  expect(read('plugins/mnemonic/.mcp.json').mcpServers.mnemonic).toEqual({ command: 'mnemonic', args: ['mcp'] })
  const { hooks } = read('plugins/mnemonic/hooks/hooks.json')
  expect(Object.keys(hooks)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'Stop',
    'SessionEnd',
    'PreCompact',
    'PreToolUse',
    'PostToolUseFailure',
  ])
  expect(hooks.Stop).toEqual([{ hooks: [{ type: 'command', command: 'mnemonic hook claude-code stop', timeout: 10 }] }])
  expect(install(claudePlugin(folder), test).changed).toBe(false)
  install(harnessCalled('claude-code'), test)
  expect(() => requireNoEntries(test.machine, test.program)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  uninstall(harnessCalled('claude-code'), test)
  requireNoEntries(test.machine, test.program)
  requireNoPlugin(test.machine)
  test.write('.claude/settings.json', '{ "enabledPlugins": { "mnemonic@mnemonic": true } }')
  expect(() => requireNoPlugin(test.machine)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
