/** What a person sees in a terminal, by the real binary in a pseudo-terminal. */
import { expect, it } from 'vitest'
import { cellsOf, linesOf, noPty, runInPty, runProgramInPty } from '../helpers/pty.ts'

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
