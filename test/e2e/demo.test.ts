/** `mnemonic demo` keeps what the README says of it: searches that find what they promise, and nothing left behind. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DemoReport } from '../../src/cli/demo-plan.ts'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
const temp = join(home.root, 'temp')
mkdirSync(temp)
afterAll(() => home.remove())

let report: DemoReport
let printed: string

beforeAll(async () => {
  const json = await home.runWith({ TMPDIR: temp }, 'demo', '--json')
  expect(json).toMatchObject({ code: 0, stderr: '' })
  report = JSON.parse(json.stdout) as DemoReport
  const text = await home.runWith({ TMPDIR: temp, NO_COLOR: '1', npm_command: '' }, 'demo')
  expect(text.code).toBe(0)
  printed = text.stdout
})

it('imports every sample file, and each search finds what it promises', () => {
  const { sync, counts, searches } = report
  expect(sync.totals).toMatchObject({ found: 14, imported: 14, unchanged: 0, quarantined: 0, skipped_lines: 0, warnings: [] })
  expect(counts).toMatchObject({ sessions: 10, subagents: 1, compactions: 1 })
  const first = searches.map(({ results }) => results[0])
  expect(first.map((hit) => hit?.session_title)).toEqual([
    'Job queue: SQLite instead of Redis',
    'Fix ERR_LEASE_EXPIRED in the nightly export',
    expect.anything(),
    'Sarah Chen',
  ])
  expect(first[1]?.content).toContain('ERR_LEASE_EXPIRED')
  expect(first[2]).toMatchObject({ session_id: 'jsonl:content-plan-october', speakers: expect.arrayContaining(['Jason']) })
  expect(first[2]?.content).toContain('three times a week')
})

it('one search over all ledgers finds what was agreed with a person, and the session that changed the code', () => {
  const { results, groups } = report.searches[3] ?? { results: [], groups: [] }
  expect(results).toMatchObject([
    { ledger: 'events', source: 'events', channel: 'imessage', session_id: '', people: ['Sarah Chen', 'Jason Wu'] },
    { ledger: 'events', source: 'events', channel: 'gmail', session_id: '', people: expect.arrayContaining(['Sarah Chen', 'Jason Wu']) },
    { ledger: 'agents', source: 'sessions', channel: 'claude-code', session_title: 'Launch switch for the webhook retries' },
  ])
  expect(results[0]?.content).toContain('Agreed, we launch at ten')
  expect(results[1]?.content).toContain('Agreed: we launch on October 13 at nine')
  // What a mail quotes is no word of its own.
  expect(results[1]?.content.match(/support wants two days/g)).toHaveLength(1)
  expect(results[2]?.content).toContain('src/jobs/send-webhooks.ts changed')
  expect(groups.map(({ thread_id, session_id }) => [thread_id !== '', session_id !== ''])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ])
})

it('tells people the counts, the hits with their dates and ids, and where to go next', () => {
  expect(printed).toMatch(/claude-code +7 +7 +0 +0/)
  expect(printed).toMatch(/jsonl +3 +3 +0 +0/)
  expect(printed).toContain('10 sessions')
  expect(printed).toMatch(/^1 {2}Job queue: SQLite instead of Redis +lantern {2}2026-09-\d\d {2}f3ce9c3b:\d+$/m)
  expect(printed).toMatch(/^1 {2}.* {2}content-:\d+$/m)
  expect(printed).toContain('mnemonic sync')
  expect(printed).not.toContain('\u001b')
})

it('every line that the README shows of it is printed, but for how long it took', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const shown = /^\$ mnemonic demo\n([\s\S]*?)^```$/m.exec(readme)?.[1]?.split('\n') ?? []
  const untimed = (line: string) => line.replace(/ +[\d.]+ (?:ms|s)$/, '')
  const lines = new Set(printed.split('\n').map(untimed))
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.map(untimed).filter((line) => line !== '[…]' && !lines.has(line))).toEqual([])
})

it('leaves neither its own home nor anything in the owner’s behind', () => {
  expect(readdirSync(temp)).toEqual([])
  expect(existsSync(join(home.root, 'home'))).toBe(false)
})

it('--keep leaves a home that other commands can use', async () => {
  const { stdout } = await home.runWith({ TMPDIR: temp }, 'demo', '--keep', '--json')
  const { home: kept, workspace } = JSON.parse(stdout) as DemoReport
  const { stdout: listed } = await home.runHere('--home', kept, '--workspace', workspace, 'sessions', '--json')
  expect((JSON.parse(listed) as { sessions: unknown[] }).sessions).toHaveLength(9)
  const told = async (...argv: string[]) => (await home.runHere('--home', kept, '--workspace', workspace, ...argv)).stdout
  expect(await told('entities')).toMatch(/person +Sarah Chen/)
  expect(await told('entities', 'show', 'Sarah Chen')).toMatch(
    /Holds\n {2}prefers morning releases[\s\S]*Held before\n {2}works at Northwind/,
  )
  expect(await told('entities', 'show', 'Quill')).toMatch(/Holds\n {2}uses Sharp[\s\S]*Held before\n {2}uses ImageMagick/)
  expect(await told('decisions', 'logs of the exports')).toMatch(/90 days\.\n[\s\S]*before[\s\S]*30 days\.\n +replaced on 2026-10-21/)
  expect(await told('dossier', 'Sarah Chen')).toContain('dossiers/sarah-chen.md')
})

it('the token in the samples is redacted wherever it comes out', async () => {
  await home.runHere('sync', '--no-embed', '--path', SAMPLES)
  for (const argv of [
    ['search', 'deploy script token'],
    ['show', 'release-check-2026-10'],
    ['sql', "select content from agent_messages where content like '%[REDACTED:github-token]%'"],
  ]) {
    const { code, stdout } = await home.runHere(...argv, '--json')
    expect(code).toBe(0)
    expect(stdout).toContain('[REDACTED:')
    expect(stdout).not.toContain('ghp_xxxx')
  }
  // Nor can a condition tell what stands there.
  const guess = await home.runHere('sql', "select content from agent_messages where content like '%ghp\\_%' escape '\\'", '--json')
  expect(JSON.parse(guess.stdout)).toMatchObject({ rows: [] })
})
