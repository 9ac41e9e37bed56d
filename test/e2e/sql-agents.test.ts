/** `sql` and `skills write` in a home of two agents: each sees its own memory, `all` sees both. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { binaryHome } from '../helpers/run-binary.ts'
import { openNexus, putSession, putTurn } from '../helpers/sources/nexus.ts'

const home = binaryHome()
afterAll(() => home.remove())
const AT = Date.UTC(2026, 2, 2, 10)
const TOOL = { name: 'Read', params: { file_path: '/srv/ferry.txt' }, result: 'zinnia timetable' }

beforeAll(async () => {
  const root = join(home.root, 'nexus')
  const db = openNexus(root)
  for (const [agent, word] of [
    ['main', 'zinnia'],
    ['ops', 'larkspur'],
  ] as const) {
    putSession(db, `of-${agent}`, { persona_id: agent })
    const prompt = `We decided to plant the ${word} by the quay.`
    putTurn(db, `of-${agent}`, {
      id: `t-${agent}`,
      exchange: { prompt, answer: `The ${word} it is.`, at: AT, ...(agent === 'main' ? { tool: TOOL } : {}) },
    })
  }
  db.close()
  expect((await home.runHere('sync', '--no-embed', '--path', root, '--adapter', 'nexus')).code).toBe(0)
})

const sql = async (agent: string, query: string) => {
  const { stdout, stderr } = await home.runHere('--agent', agent, 'sql', query, '--limit', '1000', '--json')
  return stdout === '' ? stderr : JSON.stringify((JSON.parse(stdout) as { rows: unknown[] }).rows)
}

it('no table or view shows an agent what is of another; all shows both', async () => {
  const names = JSON.parse(await sql('main', 'select name from sqlite_master')) as [string][]
  expect(names.length).toBeGreaterThan(50)
  const seen = { main: '', ops: '', all: '' }
  for (const agent of ['main', 'ops', 'all'] as const)
    for (const [name] of names) seen[agent] += await sql(agent, `select * from "${name}"`)
  expect(seen.main).toContain('zinnia')
  expect(seen.main).not.toContain('larkspur')
  expect(seen.ops).toContain('larkspur')
  expect(seen.ops).not.toMatch(/zinnia|of-main|ferry\.txt/)
  expect(seen.all).toMatch(/zinnia.*larkspur|larkspur.*zinnia/s)
  expect(await sql('ops', 'select content from agent_messages order by sequence')).toMatch(/larkspur/)
})

it('skills write puts the agent that is named into every query', async () => {
  const dir = join(home.root, 'skills')
  expect((await home.runHere('--agent', 'ops', 'skills', 'write', dir)).code).toBe(0)
  const text = readFileSync(join(dir, 'memory-reader', 'skills', 'cortex', 'QUERIES.md'), 'utf8')
  expect(text).toContain("agent_id = 'ops'")
  expect(text).not.toContain("'main'")
})

it('skills of another agent than main stand beside its MEMORY.md, and leave those of main alone', async () => {
  const workspace = join(home.root, 'workspace')
  const script = (...folder: string[]) =>
    readFileSync(join(workspace, ...folder, 'memory-reader', 'skills', 'cortex', 'cortex-search.sh'), 'utf8')
  for (const agent of ['main', 'ops']) expect((await home.runHere('--agent', agent, 'skills', 'write')).code).toBe(0)
  expect(script()).toContain("--agent 'main'")
  expect(script('agents', 'ops')).toContain("--agent 'ops'")
})
