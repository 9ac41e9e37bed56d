/** What people wrote to each other, from the samples to what is printed: search, show, memory_get, batch, the picker and the tools of an agent. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foundItems } from '../../src/cli/commands/search-interactive.ts'
import { DEMO_CONFIG } from '../../src/cli/demo-plan.ts'
import { copySamples, type MemorySearchAnswer, type Mnemonic, openMnemonic, type SearchAnswer } from '../../src/library/index.ts'
import { backgroundSync } from '../../src/mcp/background-sync.ts'
import { mcpServer } from '../../src/mcp/server.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const home = binaryHome()
const folders = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
const AGREED = 'imessage:A0000001-0000-4000-8000-000000000005'
let memory: Mnemonic
/** The chat with Sarah, its second episode: ids as people and programs have them. */
let chat: { readonly id: string; readonly path: string; readonly thread_id: string }

beforeAll(async () => {
  mkdirSync(folders.home, { recursive: true })
  writeFileSync(join(folders.home, 'config.yaml'), DEMO_CONFIG, { mode: 0o600 })
  const samples = join(home.root, 'samples')
  await copySamples(samples)
  memory = await openMnemonic({ ...folders, agent: 'main', embedder: fakeEmbedder() })
  const { totals } = await memory.sync({ path: samples })
  expect(totals).toMatchObject({ found: 14, imported: 14, warnings: [] })
  const { results } = await memory.search({ query: 'launch at ten', filters: { channel: 'imessage' } })
  chat = results[0] as SearchAnswer['results'][number]
})
afterAll(async () => {
  await memory.close()
  home.remove()
})

const run = (...argv: string[]) => home.runHere(...argv)
const json = async <T>(...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout) as T
const channels = async (query: string, ...argv: string[]) =>
  (await json<SearchAnswer>('search', query, ...argv)).results.map(({ channel }) => channel)

describe('a conversation is read', () => {
  it('by its short id, its full id, its path, its event and its number in the last answer', async () => {
    await run('search', 'launch at ten', '--channel', 'imessage')
    const full = /([0-9a-f]{32})\.md$/.exec(chat.path)?.[1] ?? ''
    expect(chat.id).toBe(`e:${full.slice(0, 8)}`)
    const texts = new Set<string>()
    for (const name of [chat.id, `e:${full}`, full, chat.path, AGREED, '1']) {
      const { code, stdout } = await run('show', name)
      expect(code).toBe(0)
      texts.add(stdout)
    }
    expect([...texts]).toHaveLength(1)
    const [text = ''] = texts
    expect(text.split('\n')[0]).toBe('Sarah Chen')
    expect(text).toContain('Jason Wu (2026-10-12 16:12): Agreed, we launch at ten.')
    expect(text).toContain('[👍 Sarah Chen]')
    expect(text).not.toContain('Nothing is lost')
    expect(text).not.toContain('+61')
  })

  it('as a whole thread by its id, and with the episodes around it', async () => {
    for (const argv of [[chat.thread_id], [chat.id, '--around', '1']]) {
      const { stdout } = await run('show', ...argv)
      expect(stdout.indexOf('Nothing is lost')).toBeGreaterThan(0)
      expect(stdout.indexOf('we launch at ten')).toBeGreaterThan(stdout.indexOf('Nothing is lost'))
    }
  })

  it('as JSON and for agents, marked as data', async () => {
    const shown = await json<{ document: Record<string, unknown> }>('show', chat.id)
    expect(JSON.stringify(shown)).toContain('we launch at ten')
    const { stdout } = await run('show', chat.id, '--for-agent')
    expect(stdout).toMatch(/<mnemonic-memory v="1">[\s\S]*we launch at ten[\s\S]*<\/mnemonic-memory>/)
    const answer = await run('search', 'launch at ten', '--with', 'Sarah', '--for-agent')
    expect(answer.stdout).toContain(chat.id)
  })

  it('by memory_get: what it is, whose words, with lines that a citation names', async () => {
    const got = await memory.memoryGet({ id: AGREED })
    expect(got).toMatchObject({
      ...{ id: chat.id, path: chat.path, source: 'events', kind: 'episode', session_id: '', turn_id: '', thread_id: chat.thread_id },
      ...{ title: 'Sarah Chen', speakers: ['Sarah Chen', 'Jason Wu'], trust: 'contact' },
    })
    const whole = await memory.memoryGet({ id: chat.thread_id })
    expect(whole).toMatchObject({ kind: 'thread', path: chat.thread_id })
    expect(whole.total_lines).toBeGreaterThan(got.total_lines)
    const { results } = await memory.memorySearch({ query: 'launch at ten', filters: { channel: 'imessage' }, limit: 1 })
    const cited = await memory.memoryGet({ path: (results[0] as MemorySearchAnswer['results'][number]).citation })
    expect(cited.text).toContain('we launch at ten')
    expect(cited.from).toBe(results[0]?.start_line)
  })

  it('and what belongs to no session cannot be resumed or opened', async () => {
    expect((await run('resume', chat.id)).stderr).toContain('only sessions of agents can be resumed')
    expect((await run('open', chat.id)).code).not.toBe(0)
  })
})

describe('whose, and where', () => {
  it.each<[string, string[], string[]]>([
    [
      'with a name that the address book gives a number, and mails and meetings write',
      ['--with', 'Sarah'],
      ['calendar', 'gmail', 'imessage'],
    ],
    ['with a number', ['--with', '0491 570 156'], ['calendar', 'gmail', 'imessage']],
    ['from me', ['--from', 'me'], ['gmail', 'imessage']],
    ['from me to somebody', ['--from', 'me', '--to', 'sarah@lantern.example'], ['gmail', 'imessage']],
    ['in a channel', ['--with', 'Sarah', '--channel', 'calendar'], ['calendar']],
    ['what people wrote alone', ['--source', 'events'], ['calendar', 'gmail', 'imessage']],
    [
      'the ledger of events has the turns of sessions too',
      ['--ledger', 'events'],
      ['calendar', 'claude-code', 'gmail', 'imessage', 'jsonl'],
    ],
    ['that of agents has nothing of people', ['--ledger', 'agents'], ['claude-code', 'jsonl']],
  ])('%s', async (_name, filters, expected) => {
    const found = await channels('launch of the webhook retries', ...filters, '--limit', '50')
    expect([...new Set(found)].sort()).toEqual(expected)
  })

  it('a hit of the ledger of events that is a turn says which ledger keeps it', async () => {
    const { results } = await json<SearchAnswer>('search', 'launch switch', '--ledger', 'events', '--channel', 'claude-code')
    expect(results[0]).toMatchObject({ ledger: 'agents', session_title: 'Launch switch for the webhook retries' })
  })

  it.each([
    [['--with', 'Sahra'], 'nobody who wrote or was written to is called "Sahra"', 'Sarah Chen'],
    [['--from', 'sara@lantern.example'], 'sara@lantern.example', 'sarah@lantern.example'],
    [['--channel', 'gmial'], 'no channel is called "gmial"', 'gmail'],
  ])('%j is USAGE, with what is near', async (filters, message, near) => {
    const { code, stderr } = await run('search', 'launch', ...filters)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain(near)
  })

  it('a batch filters each query by itself', async () => {
    const file = join(home.root, 'queries.jsonl')
    const queries: object[] = [
      { channel: 'imessage' },
      { from: 'me', to: 'Sarah' },
      { with: 'Tom', channel: 'calendar' },
      { channel: 'claude-code' },
    ]
    writeFileSync(file, queries.map((filters, i) => `${JSON.stringify({ id: i, query: 'launch', filters })}\n`).join(''))
    const { stdout } = await run('search', '--batch', file, '--json')
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SearchAnswer)
    expect(answers.map(({ results }) => [...new Set(results.map(({ channel }) => channel))].sort())).toEqual([
      ['imessage'],
      ['gmail', 'imessage'],
      ['calendar'],
      ['claude-code'],
    ])
    // What the command line says holds where a query says nothing.
    writeFileSync(file, '{"id":"a","query":"launch"}\n')
    const { results } = JSON.parse(
      (await run('search', '--batch', file, '--json', '--with', 'Sarah', '--channel', 'gmail')).stdout,
    ) as SearchAnswer
    expect(new Set(results.map(({ channel }) => channel))).toEqual(new Set(['gmail']))
  })

  it('vectors find under the same filters', async () => {
    // No word of it stands anywhere, so that only vectors can find.
    const asked = { query: 'zzyzx qwghlm', filters: { with: 'Sarah', channel: 'imessage' } }
    expect((await memory.search(asked)).results).toEqual([])
    const { results, mode } = await memory.search({ ...asked, nearest: true })
    expect(mode.realized).toBe('hybrid')
    expect(results.length).toBeGreaterThan(1)
    for (const { channel, people } of results) expect([channel, people.includes('Sarah Chen')]).toEqual(['imessage', true])
  })
})

describe('times', () => {
  it.each([
    ['2026-10-12', ['calendar', 'imessage']],
    ['what was on October 12?', ['calendar', 'imessage']],
    ['what did we talk about on October 12', ['calendar', 'imessage']],
    ['what was on Monday, October 12?', ['calendar', 'imessage']],
    ['October 5', ['gmail', 'claude-code']],
  ])('%s lists what is of that day', async (question, expected) => {
    const { results, listed } = await json<SearchAnswer>('search', question)
    expect(listed?.hits).toBeGreaterThan(0)
    expect([...new Set(results.map(({ channel }) => channel))]).toEqual(expected)
  })

  it('and counts conversations as what they are', async () => {
    expect((await run('search', '2026-10-12')).stdout.split('\n')[0]).toBe('October 12, 2026: 2 hits in 2 conversations')
    expect((await run('search', '2026-10-05')).stdout.split('\n')[0]).toBe('October 5, 2026: 2 hits in 1 session and 1 conversation')
    expect(await channels('2026-10-12', '--with', 'Tom')).toEqual(['calendar'])
  })
})

it('the picker has a conversation with its channel, and shows it', async () => {
  const [item] = (await foundItems(memory, 'launch at ten', { channel: 'imessage' })).items
  expect(item).toMatchObject({ id: chat.path, short: chat.id, title: 'Sarah Chen', project: 'imessage' })
  expect(item?.preview).toContain('we launch at ten')
  expect(await memory.show(item?.id ?? '')).toMatchObject({ kind: 'document' })
})

it('the list of the picker shrinks with each word of the query', async () => {
  const count = async (query: string) => (await foundItems(memory, query, {})).items.length
  const [one, two, three] = [await count('launch'), await count('launch ten'), await count('launch ten zzqx')]
  expect(one).toBeGreaterThan(two)
  expect(two).toBeGreaterThan(0)
  expect(three).toBe(two)
  expect((await foundItems(memory, 'launch', {})).items.every(({ matched }) => matched?.includes('launch'))).toBe(true)
})

describe('the tools of an agent', () => {
  async function connected() {
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    const server = mcpServer({ mnemonic: memory, sync: backgroundSync(undefined) })
    await server.connect(ours)
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(theirs)
    return async (name: string, args: Record<string, unknown>) => {
      const { content, isError } = (await client.callTool({ name, arguments: args })) as {
        content: { text: string }[]
        isError?: boolean
      }
      return { text: content[0]?.text ?? '', isError: isError === true }
    }
  }

  it('find messages, mails and meetings, and read them by number, id and with what is around', async () => {
    const call = await connected()
    const { text } = await call('memory_search', { query: 'launch at ten', filters: { with: 'Sarah', channel: 'imessage' } })
    expect(text).toMatch(new RegExp(`^1\\. ${chat.id} (?:L\\d+ )?2026-10-12`, 'm'))
    for (const id of ['1', chat.id, AGREED]) expect((await call('memory_get', { id })).text).toContain('we launch at ten')
    expect((await call('memory_get', { id: chat.id, around: 1 })).text).toContain('Nothing is lost')
    expect((await call('memory_get', { id: chat.thread_id })).text).toContain('Nothing is lost')
    expect((await call('memory_search', { query: 'launch', sources: ['events'], filters: { from: 'me' } })).text).toContain('gmail')
  })

  it('say what is near where nobody is called so', async () => {
    const call = await connected()
    const { text, isError } = await call('memory_search', { query: 'launch', filters: { with: 'Sahra' } })
    expect(isError).toBe(true)
    expect(text).toContain('Sarah Chen')
  })
})
