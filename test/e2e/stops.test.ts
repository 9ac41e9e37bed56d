/** Ctrl-C and SIGTERM end every long command within a second, and leave nothing that the same command does not put right. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { binaryHome, ended } from '../helpers/run-binary.ts'

const SESSIONS = 400
const home = binaryHome()
const workspace = join(home.root, 'workspace')
afterAll(() => home.remove())

beforeAll(async () => {
  const logs = join(home.root, 'logs')
  mkdirSync(logs)
  for (let n = 0; n < SESSIONS; n++) {
    const at = Date.now() - (n + 1) * 3_600_000
    const text = (role: string, content: string, i: number) =>
      JSON.stringify({ role, content, session_id: `s${n}`, timestamp: new Date(at + i * 1000).toISOString() })
    const talk = Array.from({ length: 12 }, (_, i) =>
      text(
        i % 2 ? 'assistant' : 'user',
        `The beacon number ${n} flickers at ${i}; its relay-${n}.ts drops the lamp voltage. ${'Lamp. '.repeat(200)}`,
        i,
      ),
    )
    writeFileSync(join(logs, `s${n}.jsonl`), `${talk.join('\n')}\n`)
  }
  expect((await home.runHere('sync', '--no-embed', '--path', logs)).code).toBe(0)
}, 300_000)

/** Starts a command, waits until it has begun to do its work, and says how long it took to end after the signal. */
async function stopped(signal: 'SIGINT' | 'SIGTERM', begun: () => boolean, ...argv: string[]) {
  const child = home.start(...argv)
  const end = ended(child)
  let over = false
  void end.then(() => {
    over = true
  })
  while (!over && !begun()) await new Promise((resolve) => setTimeout(resolve, 10))
  const [at, wasOver] = [performance.now(), over]
  child.kill(signal)
  const { code, signal: by, stderr } = await end
  const ms = performance.now() - at
  return { code: code ?? by, ms, second: secondHere(), stderr, over: wasOver }
}

/** A second of a quiet machine, on which Node starts in about 50 ms: a busy one takes as much longer to end a command. */
function secondHere(): number {
  const from = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return Math.max(1000, 20 * (performance.now() - from))
}

const published = () => (existsSync(join(workspace, 'memory')) ? readdirSync(join(workspace, 'memory')).length : 0)
const after = (ms: number) => {
  const from = performance.now()
  return () => performance.now() - from > ms
}

describe('a long command', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'memory publish obeys %s, and goes on where it stopped',
    async (signal, code) => {
      const before = published()
      const run = await stopped(signal, () => published() > before + 10, 'memory', 'publish')
      expect(run.over, 'it ended before it was stopped').toBe(false)
      expect(run.ms).toBeLessThan(run.second)
      expect(run.code).toBe(code)
      expect(run.stderr).toMatch(/interrupted by SIG/)
      expect(published()).toBeLessThan(SESSIONS * 3)
      const { stdout } = await home.runHere('memory', 'verify', '--json')
      // A transcript of which the summary is not written yet is the only trace.
      expect(JSON.parse(stdout).problems.filter(({ kind }: { kind: string }) => kind !== 'orphaned' && kind !== 'broken-link')).toEqual([])
    },
    120_000,
  )

  it('export --dir obeys, says that it is not whole, and is whole after the next', async () => {
    const dir = join(home.root, 'export')
    const run = await stopped('SIGINT', () => existsSync(join(dir, 'manifest.json')) && readdirSync(dir).length > 1, 'export', '--dir', dir)
    expect(run.ms).toBeLessThan(run.second)
    if (!run.over) {
      expect(run.code).toBe(130)
      expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).complete).toBe(false)
    }
    expect((await home.runHere('export', '--dir', dir)).code).toBe(0)
    expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).complete).toBe(true)
    expect(readdirSync(dir).filter((name) => name.includes('.mnemonic-tmp'))).toEqual([])
  }, 120_000)

  it('what a killed export left half-written goes with the next sync', async () => {
    const dir = join(home.root, 'killed')
    mkdirSync(dir)
    const left = () => readdirSync(dir).filter((name) => name.startsWith('.mnemonic-tmp-'))
    const child = home.start('export', '--file', join(dir, 'all.jsonl'))
    const end = ended(child)
    const until = performance.now() + 60_000
    while (left().length === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await end
    expect(left()).toHaveLength(1)
    expect((await home.runHere('sync', '--no-embed', '--path', join(home.root, 'logs'))).code).toBe(0)
    expect(readdirSync(dir)).toEqual([])
  }, 120_000)

  it('every other one ends within a second', async () => {
    expect((await home.runHere('memory', 'publish')).code).toBe(0)
    expect((await home.runHere('memory', 'verify')).code).toBe(0)
    for (const argv of [
      ['memory', 'publish', '--again'],
      ['memory', 'verify'],
      ['memory', 'reindex'],
      ['memory', 'recover'],
      ['memory', 'render'],
      ['memory', 'archive', '--before', '1 day ago'],
      ['export', '--file', join(home.root, 'all.jsonl')],
      ['export', 'qmd'],
      ['rebuild', '--no-embed'],
      ['skills', 'write'],
    ]) {
      const run = await stopped('SIGTERM', after(700), ...argv)
      expect(run.ms, argv.join(' ')).toBeLessThan(run.second)
    }
    await home.runHere('memory', 'recover')
    const { stdout } = await home.runHere('memory', 'verify', '--json')
    expect(JSON.parse(stdout).problems).toEqual([])
  }, 300_000)
})
