/** `mnemonic demo` keeps what the README says of it: searches that find what they promise, and nothing left behind. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { DemoReport } from '../../src/cli/demo-plan.ts'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
const temp = join(home.root, 'temp')
mkdirSync(temp)
afterAll(() => home.remove())

it('imports every sample file, and each search finds what it promises', async () => {
  const { code, stdout, stderr } = await home.runWith({ TMPDIR: temp }, 'demo', '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { sync, counts, searches } = JSON.parse(stdout) as DemoReport
  expect(sync.totals).toMatchObject({ found: 13, imported: 13, unchanged: 0, quarantined: 0, skipped_lines: 0, warnings: [] })
  expect(counts).toMatchObject({ sessions: 10, subagents: 1, compactions: 1 })
  const first = searches.map(({ results }) => results[0])
  expect(first.map((hit) => hit?.session_title)).toEqual([
    'Job queue: SQLite instead of Redis',
    'Fix ERR_LEASE_EXPIRED in the nightly export',
    expect.anything(),
    'Launch of webhook retries',
  ])
  expect(first[1]?.content).toContain('ERR_LEASE_EXPIRED')
  expect(first[2]).toMatchObject({ session_id: 'jsonl:content-plan-october', speakers: expect.arrayContaining(['Jason']) })
  expect(first[2]?.content).toContain('three times a week')
})

it('one search over all ledgers finds what was agreed with a person, and the session that changed the code', async () => {
  const { stdout } = await home.runWith({ TMPDIR: temp }, 'demo', '--json')
  const { results, groups } = (JSON.parse(stdout) as DemoReport).searches[3] ?? { results: [], groups: [] }
  expect(results).toMatchObject([
    { ledger: 'events', source: 'events', channel: 'gmail', session_id: '', people: expect.arrayContaining(['Sarah Chen', 'Jason Wu']) },
    { ledger: 'agents', source: 'sessions', channel: 'claude-code', session_title: 'Launch switch for the webhook retries' },
  ])
  expect(results[0]?.content).toContain('Agreed: we launch on October 13 at nine')
  // What a mail quotes is no word of its own.
  expect(results[0]?.content.match(/support wants two days/g)).toHaveLength(1)
  expect(results[1]?.content).toContain('src/jobs/send-webhooks.ts changed')
  expect(groups.map(({ thread_id, session_id }) => [thread_id !== '', session_id !== ''])).toEqual([
    [true, false],
    [false, true],
  ])
})

it('tells people the counts, the hits with their dates and ids, and where to go next', async () => {
  const { code, stdout } = await home.runWith({ TMPDIR: temp, NO_COLOR: '1' }, 'demo')
  expect(code).toBe(0)
  expect(stdout).toMatch(/claude-code +7 +7 +0 +0/)
  expect(stdout).toMatch(/jsonl +3 +3 +0 +0/)
  expect(stdout).toContain('10 sessions')
  expect(stdout).toMatch(/^1 {2}Job queue: SQLite instead of Redis +lantern {2}2026-09-\d\d {2}f3ce9c3b:\d+$/m)
  expect(stdout).toMatch(/^1 {2}.* {2}content-:\d+$/m)
  expect(stdout).toContain('mnemonic sync')
  expect(stdout).not.toContain('\u001b')
})

it('leaves neither its own home nor anything in the owner’s behind', async () => {
  await home.runWith({ TMPDIR: temp }, 'demo')
  expect(readdirSync(temp)).toEqual([])
  expect(existsSync(join(home.root, 'home'))).toBe(false)
})

it('--keep leaves a home that other commands can use', async () => {
  const { stdout } = await home.runWith({ TMPDIR: temp }, 'demo', '--keep', '--json')
  const { home: kept, workspace } = JSON.parse(stdout) as DemoReport
  const { stdout: listed } = await home.run('--home', kept, '--workspace', workspace, 'sessions', '--json')
  expect((JSON.parse(listed) as { sessions: unknown[] }).sessions).toHaveLength(9)
})

it('the token in the samples is redacted wherever it comes out', async () => {
  await home.run('sync', '--path', SAMPLES)
  for (const argv of [
    ['search', 'deploy script token'],
    ['show', 'release-check-2026-10'],
    ['sql', "select content from agent_messages where content like '%[REDACTED:github-token]%'"],
  ]) {
    const { code, stdout } = await home.run(...argv, '--json')
    expect(code).toBe(0)
    expect(stdout).toContain('[REDACTED:')
    expect(stdout).not.toContain('ghp_xxxx')
  }
  // Nor can a condition tell what stands there.
  const guess = await home.run('sql', "select content from agent_messages where content like '%ghp\\_%' escape '\\'", '--json')
  expect(JSON.parse(guess.stdout)).toMatchObject({ rows: [] })
})
