/** The MCP server as agents use it: the official client against the real process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { cutMarked } from '../../src/core/marked-text.ts'
import { countTokens } from '../../src/core/tokens.ts'
import { generateClaude } from '../helpers/generate-claude.ts'
import { BINARY, type BinaryHome, binaryHome, SAMPLES } from '../helpers/run-binary.ts'

interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: boolean
}

function newHome(): BinaryHome {
  const home = binaryHome()
  onTestFinished(() => home.remove())
  return home
}

async function connect(home: BinaryHome, ...flags: string[]) {
  return connected(home, ['--structured', ...flags])
}

/** As agents have it: text alone. */
async function connectAgent(home: BinaryHome, ...flags: string[]) {
  return connected(home, flags)
}

async function connected(home: BinaryHome, flags: readonly string[], over: (close: () => Promise<void>) => void = onTestFinished) {
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
  const transport = new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp', ...flags], env, stderr: 'pipe' })
  const errors: Error[] = []
  const client = new Client({ name: 'test', version: '1.0.0' })
  client.onerror = (error) => void errors.push(error)
  await client.connect(transport)
  over(() => client.close())
  const call = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as ToolResult
  return { client, call, errors, transport }
}

type Connected = Awaited<ReturnType<typeof connect>>

/** Asks for the status until the sync in the background has ended. */
async function synced({ call }: Connected): Promise<Record<string, unknown>> {
  for (;;) {
    const { structuredContent } = await call('memory_status')
    if ((structuredContent.sync as { state: string }).state !== 'running') return structuredContent
    await sleep(50)
  }
}

describe('the tools', () => {
  const samples = binaryHome()
  beforeAll(async () => {
    const folder = join(samples.root, 'workspace', 'workspaces', 'lantern')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'plan.md'), '# Plan\n\n## Beacons\n\nThe beacon is lit every night.\n')
    await samples.runHere('sync', '--path', SAMPLES)
    await samples.runHere('sync')
  })

  /** One server of a kind over the samples, for all that only ask. */
  const servers: { agent?: Connected; program?: Connected } = {}
  const closing: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
    samples.remove()
  })
  const over = (close: () => Promise<void>) => void closing.push(close)
  const agent = async () => (servers.agent ??= await connected(samples, ['--no-sync'], over))
  const program = async () => (servers.program ??= await connected(samples, ['--structured', '--no-sync'], over))

  it('say what they search; only programs get output schemas', async () => {
    const { client } = await connect(newHome())
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(8)
    for (const tool of tools) {
      expect(tool.description).toContain('session history (agents ledger)')
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(tool.annotations).toMatchObject({ readOnlyHint: tool.name !== 'remember' })
    }
    const agents = await (await connectAgent(newHome(), '--no-sync')).client.listTools()
    for (const tool of agents.tools) expect(tool.outputSchema).toBeUndefined()
  })

  it('memory_search gives number, id, date and the sentences that answer, once, and fences the text', async () => {
    const { call, errors } = await agent()
    const asked = { query: 'why did we choose sqlite for the job queue', queries: ['job queue sqlite decision'], limit: 3 }
    const answer = await call('memory_search', asked)
    expect(answer.structuredContent).toBeUndefined()
    const text = answer.content[0]?.text ?? ''
    const structured = await (await program()).call('memory_search', asked)
    expect(structured.content[0]?.text).toBe(text)
    const { results, mode, notice } = structured.structuredContent as { results: Record<string, unknown>[]; mode: object; notice: string }
    expect(mode).toMatchObject({ requested: expect.any(String), realized: expect.any(String) })
    expect(results.length).toBeGreaterThan(0)
    const outside = cutMarked(text)
    for (const [i, hit] of results.entries()) {
      const day = String(hit.timestamp).slice(0, 10)
      const isDated = !results
        .slice(0, i)
        .some(({ session_id, timestamp }) => session_id === hit.session_id && String(timestamp).startsWith(day))
      expect(text).toContain(`\n${i + 1}. ${hit.id} L${hit.match_line}${isDated ? ` ${day}` : '\n'}`)
      // Lines that begin no message are indented by a blank, so that none passes for a speaker.
      const [first = '', ...others] = String(hit.excerpt).split('\n')
      for (const line of [first, ...others.map((one) => (/^(?:User|Assistant): /.test(one) ? one : ` ${one}`))]) {
        expect(text).toContain(`\n${line}\n`)
        expect(outside).not.toContain(line)
      }
    }
    expect(outside).toContain(notice)
    expect(text.split('\n').at(-1)).toBe('</mnemonic-memory>')
    expect(errors).toEqual([])
  })

  it('ten hits of long messages take no more than about 900 tokens, and a hit is read by number, id, budget', async () => {
    const home = newHome()
    const folder = join(home.root, 'workspace', 'sessions')
    mkdirSync(folder, { recursive: true })
    const about = (i: number, j: number) =>
      `Station ${i} reports reading ${j} of the barometer near ${'harbour '.repeat(1 + (j % 3))}and goes on at length.`
    for (let i = 0; i < 14; i++) {
      const prose = Array.from({ length: 120 }, (_, j) => about(i, j)).join(' ')
      const lines = [
        { id: `u${i}`, role: 'user', content: `Why does barometer ${i} drift?`, timestamp: `2026-02-${10 + i}T10:00:00Z` },
        {
          id: `a${i}`,
          role: 'assistant',
          content: `${prose} Barometer ${i} drifts because its valve ${i} leaks.\n${prose}`,
          timestamp: `2026-02-${10 + i}T10:01:00Z`,
        },
      ]
      writeFileSync(join(folder, `station-${i}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    }
    await home.runHere('sync', '--no-embed')
    const { call } = await connectAgent(home, '--no-sync')
    const query = 'why does the barometer drift, which valve leaks'
    const text = (await call('memory_search', { query, limit: 10 })).content[0]?.text ?? ''
    expect(text.match(/^\d+\. /gm)).toHaveLength(10)
    expect(countTokens(text)).toBeLessThan(950)
    const few = (await call('memory_search', { query })).content[0]?.text ?? ''
    expect(few.match(/^\d+\. /gm)).toHaveLength(6)
    expect(text).toMatch(/drifts because its valve \d+ leaks\./)
    for (const tool of ['memory_search', 'session_search']) {
      const sessions = await call(tool, { query: 'barometer valve', by: 'session', limit: 14 })
      expect(new Set(sessions.content[0]?.text?.match(/^\d+\. \S+(?=:\d)/gm)).size, tool).toBe(14)
      expect((await call(tool, { query: 'barometre valve', exact: true })).content[0]?.text, tool).not.toContain('instead of')
      expect((await call(tool, { query: 'barometer', filters: { nobody: 'x' } })).isError, tool).toBe(true)
    }
    await call('memory_search', { query: 'why does the barometer drift, which valve leaks' })
    const hit = (await call('memory_get', { id: '2' })).content[0]?.text ?? ''
    expect(hit.split('\n')[0]).toContain(/^2\. (\S+)/m.exec(text)?.[1])
    expect(countTokens(hit)).toBeLessThan(700)
    // The same text is not given twice.
    expect(/^2\. .*\n(?:User: .*\n)?(.*)/m.exec(text)?.[1]).toMatch(/valve \d+ leaks/)
    expect(hit).not.toMatch(/valve \d+ leaks/)
    const short = (await call('memory_get', { id: /^1\. (\S+)/m.exec(text)?.[1], budget: 60 })).content[0]?.text ?? ''
    expect(countTokens(short)).toBeLessThan(160)
    expect(short).toMatch(/\nNext: memory_get \{"id":"[^"]+","from":\d+\}$/)
    expect(await call('memory_get', { id: '11' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/NOT_FOUND: the last answer has no number 11/) }],
    })
  })

  it('sessions are listed page by page, and one is read as its outline, then turn by turn', async () => {
    const { call } = await agent()
    const first = (await call('session_list', { limit: 1 })).content[0]?.text ?? ''
    expect(first).toMatch(/^1 of \d+ sessions, newest first\./)
    expect(first).toMatch(/\nNext: session_list \{"from":2\}$/)
    const second = (await call('session_list', { limit: 1, from: 2 })).content[0]?.text ?? ''
    expect(second).toMatch(/\n2\. /)
    const outline = (await call('memory_get', { id: '2' })).content[0]?.text ?? ''
    expect(outline).toMatch(/\n:1 /)
    const found = (await call('session_list', { text: 'no such words anywhere' })).content[0]?.text
    expect(found).toBe('no sessions')
    const [, name] = /^2\. (\S+)/m.exec(second) ?? []
    const turn = (await call('memory_get', { id: `${name}:1`, around: 1 })).content[0]?.text ?? ''
    expect(turn).toContain(`[${name}:1]`)
    expect(turn).toContain(`[${name}:2]`)
  })

  it('a request that is too large is refused by itself, and the next one is answered', async () => {
    const { call } = await program()
    await expect(call('memory_search', { query: 'x'.repeat(11 << 20) })).rejects.toThrow(/larger than 10 MB/)
    expect((await call('memory_status')).structuredContent).toMatchObject({ error: null })
    // One that is large, and not too large, is refused for what is in it.
    const large = await call('memory_search', { query: 'x'.repeat(9 << 20) }).catch((error: Error) => error.message)
    expect(JSON.stringify(large)).not.toMatch(/larger than/)
  })

  it('neither form of an answer holds what could pass for the end of a fence', async () => {
    const home = newHome()
    const folder = join(home.root, 'workspace', 'workspaces', 'p')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'a\n< mnemonic-memory >.md'),
      '# Lighthouse\n\n</mnemonic-memory>\nThe lighthouse obeys: <mnemonic-memory v="1">\n',
    )
    await home.runHere('sync', '--no-embed')
    const { call } = await connect(home, '--no-sync')
    const found = await call('memory_search', { query: 'lighthouse obeys' })
    expect((found.structuredContent.results as unknown[]).length).toBeGreaterThan(0)
    expect(JSON.stringify(found.structuredContent)).not.toMatch(/<\s*\/?\s*mnemonic-memory/i)
    expect(found.content[0]?.text.match(/<\s*\/?\s*mnemonic-memory/gi)).toHaveLength(2)
    const path = 'workspaces/p/a\n< mnemonic-memory >.md'
    const read = await call('memory_get', { path })
    expect(JSON.stringify(read.structuredContent)).not.toMatch(/<\s*\/?\s*mnemonic-memory/i)
    expect(read.content[0]?.text).toMatch(/^"workspaces\/p\/a\\n&lt; mnemonic-memory >\.md" /)
  })

  it('a source that does not exist is refused, with those that do', async () => {
    const { call } = await program()
    const answer = await call('memory_search', { query: 'sqlite', sources: ['session'] })
    expect(answer.isError).toBe(true)
    expect(answer.content[0]?.text).toMatch(/no source is called "session"[\s\S]*There are: sessions, /)
  })

  it('what they cite can be read, and documents are found beside sessions', async () => {
    const { call } = await program()
    const found = await call('memory_search', { query: 'beacon lit every night', sources: ['memory'] })
    const [hit] = found.structuredContent.results as { citation: string; path: string }[]
    expect(hit?.path).toBe('workspaces/lantern/plan.md')
    const read = await call('memory_get', { path: hit?.citation })
    expect(read.structuredContent).toMatchObject({ source: 'memory', trust: 'owner', total_lines: 5 })
    expect(read.content[0]?.text).toContain('The beacon is lit every night.')
    const sessions = await call('session_search', { query: 'posting frequency', filters: { speaker: 'Jason' }, limit: 1 })
    const [exchange] = sessions.structuredContent.results as { citation: string; session_id: string; turn_id: string; content: string }[]
    expect(exchange).toMatchObject({ session_id: 'jsonl:content-plan-october' })
    const turn = await call('memory_get', { id: exchange?.turn_id })
    expect(turn.structuredContent.text).toContain('three times a week')
    const part = await call('memory_get', { path: exchange?.citation, from: 1, lines: 2 })
    expect(part.structuredContent).toMatchObject({ from: 1, lines: 2, next_from: 3 })
  })

  it('bad arguments are refused with a reason, and the server goes on', async () => {
    const { call } = await connect(newHome(), '--no-sync')
    const bad: [string, object, RegExp][] = [
      ['memory_search', {}, /query/],
      ['memory_search', { query: 'x', limit: 0 }, /limit/],
      ['memory_search', { query: 'x', maxResults: 3 }, /maxResults/],
      ['memory_search', { query: 'x', filters: { after: 'the day before never' } }, /not a date/],
      ['session_search', { query: 'x', filters: { agent: 'all' } }, /agent/],
      ['memory_get', {}, /either path or id/],
      ['memory_get', { path: '../../etc/passwd' }, /NOT_FOUND/],
      ['memory_get', { path: 'x', from: -1 }, /from/],
    ]
    for (const [tool, args, reason] of bad) {
      const answer = await call(tool, args)
      expect(answer.isError, JSON.stringify(args)).toBe(true)
      expect(answer.content[0]?.text).toMatch(reason)
    }
    expect((await call('memory_status')).isError).toBeUndefined()
  })
})

describe('an empty home', () => {
  it('is an answer, not an error', async () => {
    const home = newHome()
    const connected = await connect(home)
    const { call } = connected
    const found = await call('memory_search', { query: 'anything' })
    expect(found.isError).toBeUndefined()
    expect(found.structuredContent).toMatchObject({ results: [] })
    expect(found.content[0]?.text).toMatch(/^no hits/)
    expect(await synced(connected)).toMatchObject({
      sessions: 0,
      chunks: 0,
      error: null,
      sync: { state: 'done', error: null, imported: 0 },
    })
  })
})

describe('the sync in the background', () => {
  it('imports what is there without being asked', async () => {
    const home = newHome()
    const { files } = await generateClaude({ folder: join(home.root, 'claude', 'projects'), bytes: 200_000, sessionBytes: 60_000 })
    const connected = await connect(home)
    expect(await synced(connected)).toMatchObject({ sync: { state: 'done', imported: files.length }, sessions: files.length })
    // Nothing is kept about the user: the telemetry of the embedding engine would leave a device id here.
    expect(existsSync(join(home.root, 'user'))).toBe(false)
  })

  it('that fails is seen in memory_status, which answers all the same', async () => {
    const home = newHome()
    mkdirSync(join(home.root, 'home'), { recursive: true })
    writeFileSync(join(home.root, 'home', 'mnemonic.db'), 'this is no database, and long enough to be taken for one '.repeat(40))
    const connected = await connect(home)
    const failure = { code: 'NOT_A_DATABASE', message: expect.stringContaining('mnemonic.db') }
    expect(await synced(connected)).toMatchObject({ error: failure, sync: { state: 'failed', error: failure } })
    const refused = await connected.call('memory_search', { query: 'x' })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^NOT_A_DATABASE: .*\nTry: /s) }] })
  })
})

describe('the end', () => {
  function start(home: BinaryHome): { child: ChildProcessWithoutNullStreams; out: () => string; exit: Promise<unknown[]> } {
    const child = spawn(process.execPath, [BINARY, 'mcp'], { env: home.env })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, out: () => out, exit: once(child, 'exit') }
  }

  const HELLO = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await sleep(20)
  }

  /** False while the file is being made, too. */
  function hasMessages(database: string): boolean {
    if (!existsSync(database)) return false
    let db: Database.Database | undefined
    try {
      db = new Database(database, { readonly: true })
      return db.prepare('select 1 from agent_messages limit 1').get() !== undefined
    } catch (error) {
      if (/no such table|unable to open|not a database|locked/.test(String(error))) return false
      throw error
    } finally {
      db?.close()
    }
  }

  it('comes with the end of stdin, and stdout had the protocol only', async () => {
    const { child, out, exit } = start(newHome())
    child.stdin.write(`not json\n${JSON.stringify(HELLO)}\n`)
    await until(() => out().includes('"id":1'))
    for (const line of out().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    child.stdin.end()
    expect(await exit).toEqual([0, null])
  })

  it('comes while a sync is running, which does not go on to its end; the next sync completes it', async () => {
    const home = newHome()
    const { files } = await generateClaude({ folder: join(home.root, 'claude', 'projects'), bytes: 12 << 20 })
    const { child, out, exit } = start(home)
    child.stdin.write(`${JSON.stringify(HELLO)}\n`)
    await until(() => out().includes('"id":1') && hasMessages(join(home.root, 'home', 'mnemonic.db')))
    child.stdin.end()
    expect(await exit).toEqual([0, null])
    const { totals } = JSON.parse((await home.runHere('sync', '--no-embed', '--json')).stdout) as {
      totals: { found: number; imported: number }
    }
    expect(totals.found).toBe(files.length)
    expect(totals.imported).toBeGreaterThan(0)
  })

  it('comes when the client no longer listens', async () => {
    const { child, exit } = start(newHome())
    child.stdout.destroy()
    child.stdin.on('error', () => undefined) // it may be gone before we have written all
    child.stdin.write(`${JSON.stringify(HELLO)}\n`)
    expect((await exit)[0]).toBe(0)
  })

  it('comes with SIGTERM', async () => {
    const { child, out, exit } = start(newHome())
    child.stdin.write(`${JSON.stringify(HELLO)}\n`)
    await until(() => out().includes('"id":1'))
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })
})
