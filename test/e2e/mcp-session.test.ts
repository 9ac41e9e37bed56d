/** A whole session of an MCP client with the real process: from the first word to the end of either side. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { oldDatabase } from '../helpers/old-database.ts'
import { BINARY, type BinaryHome, binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const PARENT = fileURLToPath(new URL('../helpers/mcp-parent.mjs', import.meta.url))
const samples = binaryHome()
beforeAll(async () => {
  const { code, stderr } = await samples.runHere('sync', '--path', SAMPLES, '--no-embed')
  expect(code, stderr).toBe(0)
  const stated = await samples.runHere('remember', 'orders-db listens on port 5432', '--about', 'orders-db', '--yes')
  expect(stated.code, stated.stderr).toBe(0)
}, 60_000)
afterAll(() => samples.remove())

function started(home: BinaryHome, ...flags: string[]) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [BINARY, 'mcp', ...flags], { env: home.env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const answers = () =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number; result?: object; error?: { message: string } })
  return { child, answers, exit: once(child, 'exit'), send: (...messages: object[]) => child.stdin.write(lines(messages)) }
}

const lines = (messages: readonly object[]) => messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
const HELLO = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const tool = (id: number, name: string, args: object = {}) => ({ id, method: 'tools/call', params: { name, arguments: args } })

it('initialize, list, call every tool well and badly, cancel, disconnect', async () => {
  const env = Object.fromEntries(Object.entries(samples.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
  const args = [BINARY, 'mcp', '--no-sync', '--structured']
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const errors: Error[] = []
  client.onerror = (error) => void errors.push(error)
  await client.connect(transport)
  onTestFinished(() => client.close())
  expect(client.getInstructions()).toContain('session history (agents ledger)')
  // The client checks every structured answer against the schema that was listed.
  const { tools } = await client.listTools()
  for (const { name, outputSchema } of tools) expect(outputSchema, name).toMatchObject({ type: 'object' })
  const { resources } = await client.listResources()
  expect(resources.length).toBeGreaterThan(3)
  expect(JSON.stringify(resources), 'nothing was published').not.toContain('MEMORY.md')
  for (const { uri } of resources.slice(0, 3)) {
    const { contents } = await client.readResource({ uri })
    expect((contents[0] as { text: string }).text).toContain('<mnemonic-memory v="1">')
  }
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['recall', 'handoff']))
  const { messages } = await client.getPrompt({ name: 'recall', arguments: { question: 'why sqlite for the job queue' } })
  expect(messages).toMatchObject([{ content: { text: expect.stringContaining('<mnemonic-memory v="1">') as string } }])

  const good: Record<string, object> = {
    memory_search: { query: 'job queue' },
    memory_get: { id: '1' },
    session_search: { query: 'job queue' },
    session_list: {},
    fork_context: { query: 'job queue' },
    decisions: {},
    timeline: { day: '2025-10-01' },
    how: { what: 'tests', project: 'lantern' },
    fix: { error: 'npm ERR! missing script: start' },
    why: { at: 'package.json:1' },
    forget: { match: 'lighthouse' },
    memory_status: {},
    remember: { text: 'Orders-db listens on port 5433', about: 'orders-db' },
    entity_get: { name: 'orders-db' },
  }
  const call = (name: string, given: object) => client.callTool({ name, arguments: given as Record<string, unknown> })
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(good).sort())
  const told: Record<string, unknown> = {}
  for (const { name } of tools) {
    const { isError, structuredContent, content } = await call(name, good[name] ?? {})
    told[name] = structuredContent
    expect(isError, `${name}: ${JSON.stringify(content)}`).toBeFalsy()
    expect(structuredContent, name).toBeDefined()
  }
  expect(told).toMatchObject({
    remember: { is_new: true, remembered: { status: 'proposed', trust: 'agent', from: 'test' } },
    // What it proposed holds of nothing: only what the owner stated does.
    entity_get: { entity: { name: 'orders-db' }, current: [{ literal: 'orders-db listens on port 5432' }], uncertain: [] },
  })
  for (const { name } of tools) {
    for (const bad of [{ no_such_key: 1 }, { query: { $ne: 1 }, name: [], text: {}, match: 7, day: [], id: {}, limit: 'x', subject: 1 }]) {
      const { isError, content } = await call(name, bad)
      expect(isError, name).toBe(true)
      expect(JSON.stringify(content)).toMatch(/no_such_key|nvalid|USAGE/)
    }
  }
  await expect(call('no_such_tool', {})).rejects.toThrow(/no_such_tool/)
  const taken = new AbortController()
  const asked = client.callTool({ name: 'forget', arguments: { match: 'lighthouse' } }, { signal: taken.signal })
  taken.abort(new Error('no longer needed'))
  await expect(asked).rejects.toThrow('no longer needed')
  expect((await call('memory_status', {})).isError).toBeFalsy()
  expect(errors).toEqual([])

  const { pid } = transport
  expect(isRunning(pid)).toBe(true)
  await client.close()
  await until(() => !isRunning(pid))
}, 60_000)

it('what was asked before stdin ended is answered; what was taken back is not', async () => {
  const { send, answers, child, exit } = started(samples, '--no-sync')
  send(HELLO, { method: 'notifications/initialized' })
  await until(() => answers().length > 0)
  send(tool(2, 'memory_search', { query: 'job queue' }), tool(3, 'session_list'), tool(4, 'forget', { match: 'lighthouse' }))
  send({ method: 'notifications/cancelled', params: { requestId: 4 } })
  child.stdin.end()
  expect(await exit).toEqual([0, null])
  const ids = answers().map(({ id }) => id)
  expect(ids.sort()).toEqual([1, 2, 3])
}, 30_000)

it('the server ends when its client is killed', async () => {
  const home = join(samples.root, 'home')
  const parent = spawn(process.execPath, [PARENT, BINARY, home], { env: samples.env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [data] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(data.toString('utf8'))
  expect(isRunning(pid)).toBe(true)
  parent.kill('SIGKILL')
  await until(() => !isRunning(pid))
}, 30_000)

it('stdout has the protocol only: with a broken database, one of an older version, and warnings', async () => {
  const broken = home()
  mkdirSync(join(broken.root, 'home'), { recursive: true })
  writeFileSync(join(broken.root, 'home', 'mnemonic.db'), 'this is no database, and long enough to be taken for one '.repeat(40))
  const old = home()
  mkdirSync(join(old.root, 'home'), { recursive: true })
  oldDatabase(join(old.root, 'home', 'mnemonic.db'), { upTo: '011', sessions: 3, turnsEach: 2 })
  const warned = home()
  cpSync(join(samples.root, 'home'), join(warned.root, 'home'), { recursive: true })
  writeFileSync(join(warned.root, 'home', 'config.yaml'), 'no_such_key: 1\n', { mode: 0o600 })
  const all = [broken, old, warned].map((one) => {
    const server = started(one)
    server.send(HELLO, tool(2, 'memory_search', { query: 'x' }), tool(3, 'forget'), tool(4, 'memory_status'))
    server.child.stdin.write('not json\n')
    server.child.stdin.end()
    return server
  })
  const codes = await Promise.all(all.map(({ exit }) => exit))
  for (const [i, { answers }] of all.entries()) {
    for (const answer of answers()) expect(answer).toMatchObject({ jsonrpc: '2.0' })
    if (codes[i]?.[0] === 0)
      expect(
        answers().flatMap(({ id }) => (id === undefined ? [] : [id])),
        String(i),
      ).toEqual(expect.arrayContaining([1, 2, 3, 4]))
    else expect(answers(), 'a configuration that is refused ends it before it says anything').toEqual([])
  }
  expect(JSON.stringify(all[0]?.answers())).toMatch(/NOT_A_DATABASE: .*Try: /)
  expect(codes.slice(0, 2)).toEqual([
    [0, null],
    [0, null],
  ])
}, 60_000)

it('one memory is served, and only tools that there are', async () => {
  for (const [argv, reason] of [
    [['mcp', '--agent', 'all'], /one memory/],
    [['mcp', '--tools', 'memory_search,nothing'], /"nothing"[\s\S]*There are: memory_search/],
  ] as const) {
    const { code, stderr, stdout } = await samples.runHere(...argv)
    expect(code).toBe(2)
    expect(stderr).toMatch(reason)
    expect(stdout).toBe('')
  }
})

function home(): BinaryHome {
  const one = binaryHome()
  onTestFinished(() => one.remove())
  return one
}

/** One that has ended and that nobody has asked about is still listed, as a zombie. */
function isRunning(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false // there is no such process
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'))
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20)
}
