/** What a new user types on the first day: a wrong path, an option without its dashes, nonsense, a small terminal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesOf, noPty, runInPty } from '../helpers/pty.ts'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
beforeAll(async () => {
  expect((await home.runHere('sync', '--path', SAMPLES, '--no-embed')).code).toBe(0)
}, 120_000)
afterAll(() => home.remove())

it.each([
  ...['search sqlite', 'sessions', 'decisions', 'sql select', 'secrets', 'projects', 'remember --list', 'remember likes', 'memory render'],
  ...['memory publish', 'memory verify', 'index', 'write', 'health', 'doctor'],
])('a mistyped --home is an error for %s, and no new database', async (typed) => {
  const typo = join(home.root, 'hoem')
  const { code, stdout, stderr } = await home.runHere('--home', typo, ...typed.split(' '))
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(`there is no memory in ${typo}`)])
  expect(existsSync(typo)).toBe(false)
})

it('a sync with --home says that a new memory begins there, once', async () => {
  const argv = ['--home', join(home.root, 'new'), 'sync', '--path', SAMPLES, '--no-embed']
  const first = await home.runHere(...argv)
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(`a new memory begins in ${join(home.root, 'new')}`)])
  expect((await home.runHere(...argv)).stderr).not.toContain('a new memory begins')
}, 60_000)

it.each([['list'], ['ls'], ['undo'], ['confirm', 'r:3f2a1c9d']])('remember %s is no fact', async (...words) => {
  const { code, stderr } = await home.runHere('remember', ...words, '--yes')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/mnemonic remember --(?:list|undo|confirm)/)])
  expect((await home.runHere('remember', '--list', '--json')).stdout).toContain('"total": 0')
})

it('decisions --as-of a day counts what was decided on it', async () => {
  type Lines = { lines: { holds: { decided_at: string }[] }[] }
  const days = ({ lines }: Lines) => lines.flatMap(({ holds }) => holds.map(({ decided_at }) => decided_at.slice(0, 10))).sort()
  const ask = async (...more: string[]) => days(JSON.parse((await home.runHere('decisions', ...more, '--json')).stdout) as Lines)
  const [first = ''] = await ask()
  expect(await ask('--as-of', first)).toContain(first)
})

it('a day without anything leads to the nearer of the days beside it', async () => {
  for (const [day, near] of [
    ['2026-10-20', '2026-10-21'],
    ['2026-10-11', '2026-10-09'],
  ] as const) {
    const hints = [await home.runHere('search', `what did we do on ${day}`), await home.runHere('timeline', '--day', day)]
    for (const { stderr } of hints) expect(stderr.replace(/\s+/g, ' ')).toMatch(new RegExp(`mnemonic timeline (?:--day )?${near}`))
  }
})

it('sync of what reads the ledger says nothing of nothing', async () => {
  const { stdout, stderr } = await home.runHere('sync', '--adapter', 'aix-events')
  expect(stdout).toMatch(/aix-events +[1-9]/)
  expect(stderr).not.toContain('nothing found')
})

it('--reread takes its path from --path too, and two places are refused', async () => {
  const { code, stdout } = await home.runHere('sync', '--reread', '--path', SAMPLES, '--no-embed', '--json')
  const { totals } = JSON.parse(stdout) as { totals: { found: number; unchanged: number } }
  expect([code, totals.unchanged, totals.found > 0]).toEqual([0, 0, true])
  expect((await home.runHere('sync', '--reread', home.root, '--path', SAMPLES)).code).toBe(2)
}, 60_000)

describe.skipIf(noPty)('on a terminal', () => {
  it('hints of errors are wrapped between words', async () => {
    const { output } = await runInPty(['show', '7'], { columns: 50, env: { ...home.env, CLAUDE_CODE_SESSION_ID: 'x' } })
    const lines = linesOf(output).filter(Boolean)
    expect(lines.length).toBeGreaterThan(2)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50)
  })

  it('number 1 stays on a small screen, and the footer says how to get the rest', async () => {
    const shown = async (rows: number, ...more: string[]) =>
      linesOf((await runInPty(['search', 'the', 'retries', 'webhook', ...more], { rows, env: home.env })).output.trimEnd())
    const lines = await shown(20)
    expect(lines.length).toBeLessThanOrEqual(18)
    expect(lines.some((line) => line.startsWith('1 '))).toBe(true)
    const limit = /-n (\d+)/.exec(lines.at(-1) ?? '')?.[1] ?? ''
    expect((await shown(20, '-n', limit)).filter((line) => /^\d+ /.test(line))).toHaveLength(Number(limit))
  })
})
