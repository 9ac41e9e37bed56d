import { mkdirSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { claudeLog } from '../../test/helpers/claude-log.ts'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import type { Mnemonic } from '../library/index.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 1, 2, 9)

let home: TestHome
let mnemonic: Mnemonic

beforeEach(async () => {
  home = testHome()
  mkdirSync(home.logs, { recursive: true })
  mnemonic = await home.open({ config: { sources: {} }, clock: () => START + 30 * DAY })
})

const session = (digit: string, day: number, cwd = '/home/dev/atlas') =>
  claudeLog(home.logs, `${digit.repeat(8)}-0000-4000-8000-000000000000`, { from: START + day * DAY, cwd })

async function related(digit: string): Promise<Record<string, readonly string[]>> {
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code', 'aix-events'], embed: false })
  const { related: all } = await mnemonic.related(digit.repeat(8))
  return Object.fromEntries(all.map(({ id, shared }) => [id, shared]))
}

it('a session whose decision another replaced is related to it, from both sides', async () => {
  const first = session('a', 0)
  first.turn("Let's use MySQL for the ferry timetable store.", 'Agreed, the ferry timetable goes into MySQL.')
  first.turn('Thanks.', 'You are welcome.')
  const second = session('b', 5)
  second.turn("Let's use SQLite for the ferry timetable store instead of MySQL.", 'Agreed.')
  second.turn('Thanks.', 'You are welcome.')
  expect((await related('a')).bbbbbbbb?.[0]).toMatch(/^decision: .*SQLite/)
  expect((await related('b')).aaaaaaaa?.[0]).toMatch(/^decision: .*SQLite/)
})

it('sessions that look at one pull request are related, those of another project with its number are not', async () => {
  for (const [digit, day, cwd] of [
    ['a', 0, '/home/dev/atlas'],
    ['b', 1, '/home/dev/atlas'],
    ['c', 2, '/home/dev/other'],
  ] as const) {
    const log = session(digit, day, cwd)
    log.turn(`Part ${digit} please.`, 'I look.')
    log.call(
      'Bash',
      { command: 'gh pr view 12 --json number,title,state,headRefName' },
      '{"number":12,"title":"Close the gate","state":"OPEN","headRefName":"gate"}',
    )
    log.turn('Fine.', 'Yes.')
  }
  expect(await related('a')).toEqual({ bbbbbbbb: ['pull request #12'] })
})

it('files that all sessions change relate none; two that few change do', async () => {
  for (const digit of ['a', 'b', 'c', 'd', 'e', 'f', '9']) {
    const log = session(digit, Number.parseInt(digit, 16))
    log.turn(`Part ${digit} please.`, 'I change it.')
    const files = ['src/index.ts', ...(digit === 'a' || digit === 'b' ? ['src/tide.ts', 'src/gate.ts', 'src/lock.ts'] : [])]
    for (const file of files) log.call('Edit', { file_path: `/home/dev/atlas/${file}`, old_string: 'a', new_string: 'b' }, 'ok')
    log.turn('Fine.', 'Yes.')
  }
  const found = await related('a')
  expect(Object.keys(found)).toEqual(['bbbbbbbb'])
  expect(found.bbbbbbbb).toEqual(expect.arrayContaining(['tide.ts', 'gate.ts', 'lock.ts']))
  expect(await related('c')).toEqual({})
})

it('an error of the network relates none; one of the project does', async () => {
  for (const digit of ['a', 'b', 'c']) {
    const log = session(digit, Number.parseInt(digit, 16))
    log.turn(`Part ${digit} please.`, 'I look.')
    log.call('Bash', { command: `gh api repos/atlas/${digit}` }, 'gh: Not Found (HTTP 404)', true)
    if (digit !== 'c') log.call('Bash', { command: 'mise run lint' }, 'mise: the tide plugin needs a newer golangci release', true)
    log.turn('Fine.', 'Yes.')
  }
  expect(await related('a')).toEqual({ bbbbbbbb: ['error mise: the tide plugin needs a newer golangci release'] })
})
