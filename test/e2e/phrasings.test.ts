/** One question in several phrasings: the same answer at the command line, in a batch, in the library and over MCP. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openMnemonic, type SearchAnswer } from 'agent-mnemonic'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BINARY, binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
beforeAll(async () => void (await home.runHere('sync', '--no-embed', '--path', SAMPLES)))
afterAll(() => home.remove())

const QUERY = 'why did we chose sqilte'
const QUERIES = ['job queue database', 'lease of a worker']

async function mcp() {
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp', '--no-sync', '--structured'], env, stderr: 'pipe' }),
  )
  onTestFinished(() => client.close())
  return client
}

it('gives the same hits, corrections and scores everywhere', async () => {
  const also = QUERIES.flatMap((text) => ['--also', text])
  const said = JSON.parse(
    (await home.runHere('search', QUERY, ...also, '--source', 'sessions', '--limit', '5', '--json')).stdout,
  ) as SearchAnswer
  expect(said.corrections).toEqual([{ typed: 'sqilte', used: 'sqlite' }])
  expect(said.matched).toBe('words')
  expect(said.results.length).toBeGreaterThan(1)

  const file = join(home.root, 'lines.jsonl')
  const request = { query: QUERY, queries: QUERIES, filters: { sources: ['sessions'] }, limit: 5 }
  writeFileSync(file, `${JSON.stringify({ id: 1, ...request })}\n{"id":2,"query":"x","filters":{"speaker":"Jasno"}}\n`)
  const batch = (await home.runHere('search', '--batch', file)).stdout.trim().split('\n')
  const { id: _, ...line } = JSON.parse(batch[0] ?? '') as SearchAnswer & { id: number }
  const { query: _query, queries: _queries, last_sync: _sync, ...rest } = said
  expect(line).toEqual(rest)
  expect(JSON.parse(batch[1] ?? '')).toMatchObject({ id: 2, results: [], hint: expect.stringContaining('There are: Jason') })

  await using memory = await openMnemonic({ home: join(home.root, 'home'), workspace: join(home.root, 'workspace') })
  expect((await memory.search(request)).results).toEqual(said.results)

  const client = await mcp()
  const answer = await client.callTool({ name: 'session_search', arguments: { query: QUERY, queries: QUERIES, limit: 5 } })
  const { results, corrections } = answer.structuredContent as unknown as SearchAnswer
  expect(corrections).toEqual(said.corrections)
  expect(results.map((hit) => [hit.turn_id, hit.relevance_score])).toEqual(said.results.map((hit) => [hit.turn_id, hit.relevance_score]))
  expect(JSON.stringify(answer.content)).toContain('searched for')
})

describe('a topic or a speaker that nobody used yet', () => {
  // The example of specification 003.
  const EXAMPLE = {
    query: 'What did we decide about cron monitoring?',
    filters: { after: '2026-01-01', before: '2026-12-31', speaker: 'Jason', topics: ['cron', 'monitoring'], has_decision: true },
    limit: 5,
  }
  const HINT = /^no topic is called "cron", "monitoring"\. There are: /

  it('gives session_search no results, and what exists', async () => {
    const client = await mcp()
    const answer = await client.callTool({ name: 'session_search', arguments: EXAMPLE })
    expect(answer.isError ?? false).toBe(false)
    expect(answer.structuredContent).toMatchObject({ results: [], hint: expect.stringMatching(HINT) })
    expect(JSON.stringify(answer.content)).toMatch(/no hits.*no topic is called.*There are: /)
  })

  it('gives the library the same', async () => {
    await using memory = await openMnemonic({ home: join(home.root, 'home'), workspace: join(home.root, 'workspace') })
    const { results, hint } = await memory.sessionSearch(EXAMPLE)
    expect(results).toEqual([])
    expect(hint).toMatch(HINT)
    const both = await memory.search({ query: 'x', filters: { speaker: 'Jasno', topics: ['cron'] } })
    expect(both.hint).toMatch(/^no speaker is called "Jasno"\. There are: Jason, .*\. no topic is called "cron"\. There are: /)
  })

  it('is said at the command line, which ends with 0', async () => {
    const { code, stdout, stderr } = await home.runHere('search', 'sqlite', '--speaker', 'Jasno', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ results: [], hint: expect.stringContaining('There are: Jason, ') })
    expect(JSON.parse(stderr)).toEqual({ hint: expect.stringMatching(/^no speaker is called "Jasno"\. There are: Jason, /) })
    expect((await home.runHere('search', 'sqlite', '--topic', 'cron')).stderr).toMatch(/no topic is called "cron"\. There are: /)
  })
})
