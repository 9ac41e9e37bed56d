/** What a person sees in a terminal, by the real binary in a pseudo-terminal. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellsOf, linesOf, noPty, runInPty, runProgramInPty } from '../helpers/pty.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const node = (code: string) => [process.execPath, '-e', code]

it.skipIf(noPty)('the pseudo-terminal has the size that was asked for, takes keys and gives the exit code', async () => {
  const code = `process.stdout.write(process.stdout.columns + 'x' + process.stdout.rows + ' ready\\n')
    process.stdin.once('data', (text) => { process.stdout.write('got ' + text); process.exit(7) })`
  const run = await runProgramInPty(node(code), { columns: 50, rows: 12, input: [{ after: 'ready', send: 'hi\n' }] })
  expect(linesOf(run.output)).toContain('50x12 ready')
  expect(linesOf(run.output)).toContain('got hi')
  expect(run).toMatchObject({ code: 7, restored: true })
})

it.skipIf(noPty)('Ctrl-C is a signal there, and a terminal that is left raw is noticed', async () => {
  const waits = "process.stdout.write('ready'); setInterval(() => {}, 1000)"
  expect((await runProgramInPty(node(waits), { input: [{ after: 'ready', send: '\x03' }] })).code).toBe(130)
  const raw = "process.stdin.setRawMode(true); process.kill(process.pid, 'SIGKILL')"
  expect(await runProgramInPty(node(raw))).toMatchObject({ code: 137, restored: false })
})

it.skipIf(noPty)('cells are counted by the tables of Unicode', () => {
  expect(cellsOf(['ab', '日本', 'e\u0301', '😀', '❤️'])).toEqual([2, 4, 1, 2, 2])
})

it.skipIf(noPty)('the binary runs in it', async () => {
  const run = await runInPty(['--version'])
  expect(run.code).toBe(0)
  expect(run.output).toMatch(/^\d+\.\d+\.\d+/)
})

describe.skipIf(noPty)('search on a terminal', () => {
  const home = binaryHome()
  const long = `https://example.com/${'deep/'.repeat(60)}end`
  const texts = [
    `The wherry lease is at ${long} and ends tonight.`,
    `日本語の長い文章で wherry lease を説明します。${'とても長い'.repeat(40)}`,
    `👩‍👩‍👧 wherry lease ❤️ ${'🚀'.repeat(90)}`,
    '\u001b[31mwherry lease\u001b[0m \u202eturned\u202c around\tand\ttabbed',
    '| wherry | lease |\n|---|---|\n| one | two |\n```go\nfunc wherryLease() {}\n```',
  ]

  beforeAll(async () => {
    for (let i = 0; i < 12; i++) {
      const records = texts.map((text, turn) => ({
        ...{ id: `m${i}-${turn}`, role: turn % 2 === 0 ? 'user' : 'assistant', content: `${text} Session number ${i}, part ${turn}.` },
        timestamp: `2026-09-${String(10 + i)}T08:0${turn}:00Z`,
      }))
      mkdirSync(join(home.root, 'logs'), { recursive: true })
      writeFileSync(join(home.root, 'logs', `wherry-${i}.jsonl`), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
    }
    const { code, stderr } = await home.runHere('sync', '--adapter', 'jsonl', '--path', join(home.root, 'logs'), '--no-embed')
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })
  afterAll(() => home.remove())

  it('ten blocks, their footer and what to do next are 40 lines of 80 columns', async () => {
    const { output, code } = await runInPty(['search', 'wherry', 'lease'], { columns: 80, rows: 43, env: home.env })
    expect(code).toBe(0)
    const lines = linesOf(output.replace(/\r\n$/, ''))
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(lines.filter((line) => /^\d+ /.test(line))).toHaveLength(10)
    expect(lines.at(-1)).toMatch(/^── 10 sessions · lexical/)
    expect(output).toContain('\u001b[1mwherry\u001b[22m')
  })

  const looks = [[], ['--flat'], ['--short'], ['-l'], ['--context', '3'], ['--flat', '--explain']]
  it.each([50, 80, 200])('nothing reaches beyond %i columns, however it is shown', async (columns) => {
    for (const look of columns === 80 ? looks : looks.slice(0, 2)) {
      const { output, code } = await runInPty(['search', 'wherry', 'lease', ...look], { columns, env: home.env })
      expect(code).toBe(0)
      const lines = linesOf(output)
      const wide = cellsOf(lines).flatMap((cells, i) => (cells > columns ? [lines[i]] : []))
      expect(wide).toEqual([])
      expect(output).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\t/)
    }
  })

  it.each([50, 80, 200])('sessions and show reach no further than %i columns, and show takes the numbers of sessions', async (columns) => {
    const list = await runInPty(['sessions', '-n', '11'], { columns, env: home.env })
    const asked = ['show', 'wherry-3', '--no-pager']
    for (const run of [list, await runInPty(asked, { columns, env: home.env })]) {
      expect([run.code, run.restored]).toEqual([0, true])
      const lines = linesOf(run.output)
      expect(cellsOf(lines).flatMap((cells, i) => (cells > columns ? [lines[i]] : []))).toEqual([])
    }
    const lines = linesOf(list.output)
    expect(lines.filter((line) => /^ ?\d+ {2}wherry-/.test(line))).toHaveLength(11)
    expect(list.output).toContain('11 of 12 sessions')
    // A wide terminal is used, not only not left.
    if (columns === 200) expect(Math.max(...cellsOf(lines))).toBeGreaterThan(120)
    // Each pseudo-terminal is one of its own: a harness's session keeps the numbers.
    const env = { ...home.env, CLAUDE_CODE_SESSION_ID: 'one' }
    const listed = linesOf((await runInPty(['sessions'], { columns, env })).output)
    const third = listed.map((line) => /^ *3 {2}(wherry-\d+)/.exec(line)?.[1]).find(Boolean)
    const shown = await runInPty(['show', '3', '--outline'], { columns: 200, env })
    expect(shown.output).toContain(`${third}:1`)
  })

  it('the limit counts sessions in blocks and lines of sessions, hits elsewhere', async () => {
    const count = async (...look: string[]) =>
      (await home.runHere('search', 'wherry lease', '-n', '3', ...look)).stdout.match(/^\d+ /gm)?.length
    expect([await count(), await count('-l'), await count('--flat'), await count('--short')]).toEqual([3, 3, 3, 3])
    const { stdout } = await home.runHere('search', 'wherry lease', '-l', '-n', '12')
    expect(new Set(stdout.match(/wherry-\d+/g)).size).toBe(12)
    const json = JSON.parse((await home.runHere('search', 'wherry lease', '-n', '3', '--json')).stdout) as { results: unknown[] }
    expect(json.results).toHaveLength(3)
  })

  it('two ways of showing are refused', async () => {
    const { code, stderr } = await home.runHere('search', 'x', '--flat', '--short')
    expect(code).toBe(2)
    expect(stderr).toContain('--flat and --short do not go together')
  })
})
