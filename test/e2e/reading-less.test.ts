/** What agents and people read no more than they asked for: no filler, filters that hold what they say. Over MCP and at the command line. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOTICE } from '../../src/core/marked-text.ts'
import type { Embedder } from '../../src/embed/embedder.ts'
import type { SearchAnswer } from '../../src/library/index.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { mcpClient } from '../helpers/mcp-client.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { type Said, saidHome } from '../helpers/said-home.ts'

const FOLDER = '/home/dev/site'
const session = (letter: string, day: number, ...texts: string[]): Said => ({
  ...{ session: `${letter.repeat(8)}-1111-4111-8111-111111111111`, folder: FOLDER, day, texts },
})

const SAID = [
  session(
    'a',
    1,
    'I would like us to publish twice a week.',
    `Noted. ${'The lamp driver keeps a zirconium relay for each lane. '.repeat(12)}`,
  ),
  session('b', 2, 'How is the lamp?', 'It is green. We should post on a weekly rhythm, says the posting cadence of the house. '.repeat(4)),
  session('c', 3, 'Send me the weekly report, please.', 'The report of the harbour is in the outbox, with all its numbers and its lists.'),
]

/** Knows which words mean the same, as a model does and full text does not. */
function meaningEmbedder(): Embedder {
  const plain = fakeEmbedder()
  const means = (text: string) => text.replace(/\bpublish\b/g, 'posting').replace(/\btwice a week\b/g, 'weekly cadence')
  return { ...plain, embed: (texts, options) => plain.embed(texts.map(means), options) }
}

describe('a speaker filter', () => {
  it('finds what that one said in other words, and shows their words', async () => {
    const memory = await saidHome(SAID, { embedder: meaningEmbedder() })
    await memory.embedding.run()
    const { call } = await mcpClient(memory, { structured: true })
    const asked = { query: 'weekly posting cadence', filters: { speaker: 'user' } }
    const { text, structured } = await call('memory_search', asked)
    const { results, mode } = structured as unknown as SearchAnswer
    expect(mode.realized).toBe('hybrid')
    const found = results.map(({ session_id, excerpt }) => [session_id.slice(-36, -35), excerpt])
    expect(
      found
        .slice(0, 2)
        .map(([letter]) => letter)
        .sort(),
    ).toEqual(['a', 'c'])
    expect(found.find(([letter]) => letter === 'a')?.[1]).toBe('User: I would like us to publish twice a week.')
    for (const [, excerpt] of found) expect(excerpt).not.toMatch(/Assistant|relay|rhythm|outbox/)
    expect(text).not.toMatch(/relay|rhythm|outbox/)
    const agents = await memory.search({ ...asked, filters: { speaker: 'assistant' } })
    expect(agents.results[0]?.excerpt).toMatch(/^Assistant: .*posting cadence/s)
    expect(agents.results.map(({ excerpt }) => excerpt).join('\n')).not.toContain('User:')
  })
})

it('--topic takes the topics that a model gave', async () => {
  const memory = await saidHome(SAID)
  const asked = { query: 'weekly report', filters: { topics: ['Outgoing Mail'] } }
  const before = await memory.search(asked)
  expect(before.results).toEqual([])
  expect(before.hint).toContain('no topic is called "Outgoing Mail"')
  const db = new Database(memory.home.database)
  const message = db.prepare("select id from agent_messages where content like '%weekly report%'").pluck().get()
  const run = db.prepare('select id, episode_id from analysis_runs limit 1').get() as { id: string; episode_id: string }
  db.prepare(
    `insert into facets (id, analysis_run_id, episode_id, facet_type, value, message_id, created_at)
     values ('f1', @id, @episode_id, 'topic', 'outgoing-mail', @message, 1)`,
  ).run({ ...run, message })
  const by = (implementation: string) => db.prepare('update analysis_runs set implementation = ? where id = ?').run(implementation, run.id)
  expect((await memory.search(asked)).results).toEqual([])
  by('fake:m')
  db.close()
  const { results } = await memory.search(asked)
  expect(results.map(({ session_id }) => session_id.slice(-36, -35))).toEqual(['c'])
  expect((await memory.search({ ...asked, filters: { topics: ['nowhere-at-all'] } })).hint).toContain('outgoing-mail')
})

describe('an answer without filler', () => {
  it('says over MCP why it is empty and how to ask for what is near in meaning', async () => {
    const memory = await saidHome(SAID, { embedder: meaningEmbedder() })
    await memory.embedding.run()
    const { call } = await mcpClient(memory, { structured: true })
    for (const tool of ['memory_search', 'session_search']) {
      const nothing = await call(tool, { query: 'xyzzy frobnicate' })
      expect(nothing.text).toMatch(/^no hits, no word of it occurs; nearest in meaning: pass "nearest": true/)
      expect(nothing.structured).toMatchObject({ results: [], left_out: { reason: 'no_word', nearest: true } })
      const nearest = await call(tool, { query: 'xyzzy frobnicate', nearest: true })
      expect(nearest.text).toContain('no word matched: only the nearest by meaning')
      expect((await call(tool, { query: '"frobnicate the relay"' })).structured).toMatchObject({ left_out: { reason: 'exact' } })
    }
  })
})

const QUEUE = [
  session('d', 1, 'Why does the retry queue lose jobs?', 'The retry queue kept its jobs in memory. We moved the retry queue to postgres.'),
  session('e', 7, 'The retry queue is slow.', 'An index on the retry queue made it fast. The rest is fine.'),
  session('f', 4, 'Paint the queue of boats.', 'The boats are red now, and the harbour is full.'),
]

describe('by history', () => {
  it('lists the sessions in order of time, a sentence each, and says where relevance ends', async () => {
    const memory = await saidHome(QUEUE)
    const { call } = await mcpClient(memory, { structured: true })
    const { text, structured } = await call('memory_search', { query: 'retry queue', by: 'history' })
    const { results, groups, history } = structured as unknown as SearchAnswer
    expect(results.map(({ session_id }) => session_id.slice(-36, -35))).toEqual(['d', 'e'])
    expect(groups.map(({ hits }) => hits)).toEqual([[0], [1]])
    expect(history).toEqual({ sessions: 2, relevant: 2, less_relevant: 1, counted: true })
    for (const { excerpt } of results) expect(excerpt.match(/retry queue/g)).toHaveLength(1)
    expect(text).toMatch(/^2 sessions in order of time; relevance ends there: 1 more only touch on it/)
    expect((await call('session_search', { query: 'history of the retry queue' })).text).toMatch(/^2 sessions in order of time/)
    expect((await call('session_search', { query: 'why is the retry queue slow' })).text).not.toContain('in order of time')
    expect((await call('session_search', { query: 'history of the retry queue', by: 'hit' })).text).not.toContain('in order of time')
    const one = await memory.search({ query: 'retry queue', by: 'history', limit: 1 })
    expect([one.results.length, one.history?.relevant]).toEqual([1, 2])
  })
})

describe('several questions in one call', () => {
  const questions = ['retry queue', 'xyzzy frobnicate', 'red boats']

  it('are answered each, within one fence, with one note', async () => {
    const memory = await saidHome(QUEUE)
    const { call } = await mcpClient(memory, { structured: true })
    for (const tool of ['memory_search', 'session_search']) {
      const { text, structured } = await call(tool, { questions })
      expect(text.split(NOTICE)).toHaveLength(2)
      expect(text.match(/<mnemonic-memory/g)).toHaveLength(1)
      expect(text).toMatch(/Question 2, "xyzzy frobnicate": no hits/)
      const { answers, results } = structured as { answers: { query: string; hits: number }[]; results: { session_id: string }[] }
      expect(answers.map(({ query }) => query)).toEqual(questions)
      expect(answers[1]?.hits).toBe(0)
      expect(results).toHaveLength(answers.reduce((sum, { hits }) => sum + hits, 0))
      const last = results.length
      expect(text).toContain(`\n${last}. `)
      expect((await call('memory_get', { id: String(last) })).isError).toBe(false)
      expect((await call(tool, { query: 'retry', questions })).text).toContain('questions go without query and queries')
    }
    const each = await memory.each.search(questions, { limit: 1 })
    expect(each.map(({ query, results }) => [query, results.length])).toEqual([
      ['retry queue', 1],
      ['xyzzy frobnicate', 0],
      ['red boats', 1],
    ])
    await expect(memory.each.search([])).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('at the command line', () => {
  const home = binaryHome()
  beforeAll(async () => {
    const logs = join(home.root, 'some-logs')
    mkdirSync(logs)
    for (const { session: id, texts, day = 1 } of SAID) {
      const lines = texts.map((text, i) =>
        JSON.stringify({
          ...{ session_id: id, role: i % 2 === 0 ? 'user' : 'assistant', content: text, message_id: `${id}-${i}` },
          timestamp: `2026-02-0${day}T10:0${i}:00Z`,
        }),
      )
      writeFileSync(join(logs, `${id}.jsonl`), `${lines.join('\n')}\n`)
    }
    await home.runHere('sync', '--no-embed', '--path', logs)
  })
  afterAll(() => home.remove())

  it('--speaker prints what that one said', async () => {
    const { stdout } = await home.runHere('search', 'lamp', '--speaker', 'user')
    expect(stdout).toContain('How is the lamp?')
    expect(stdout).not.toMatch(/green|relay/)
    const agent = await home.runHere('search', 'weekly', '--speaker', 'assistant', '--flat')
    expect(agent.stdout).toContain('weekly rhythm')
    expect(agent.stdout).not.toContain('User:')
  })

  it('--history and a question for all times list sessions in order of time', async () => {
    for (const args of [['weekly', '--history'], ['how often did we say weekly']]) {
      const { stdout } = await home.runHere('search', ...args)
      expect(stdout, args[0]).toMatch(/^2 sessions in order of time/)
      expect(stdout.indexOf('2026-02-02'), args[0]).toBeLessThan(stdout.indexOf('2026-02-03'))
    }
    expect((await home.runHere('search', 'weekly', '--history', '--short')).code).not.toBe(0)
  })

  it('an error code that occurs nowhere finds nothing, also in parts', async () => {
    const { results, left_out } = JSON.parse((await home.runHere('search', 'ERR_REPORT_402', '--json')).stdout) as SearchAnswer
    expect(results).toEqual([])
    expect(left_out).toEqual({ reason: 'exact', nearest: false, text: 'what was asked for exactly occurs nowhere' })
    expect((await home.runHere('search', 'report')).stdout).toContain('weekly report')
  })
})
