/** How something is run, what fixed an error, which errors come back: from logs through sync, commands, MCP's port, forgetting and rebuild. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownFix } from '../../src/browse/fix/known-fix.ts'
import { passingForm } from '../../src/browse/fix/passing-form.ts'
import type { FixAnswer, Friction, HowAnswer } from '../../src/library/index.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'

let home: BinaryHome
const projects = () => join(home.root, 'claude', 'projects')
const DAY = 86_400_000
const START = Date.parse('2026-03-01T10:00:00Z')
const NOT_FOUND = 'Exit code 127\n(eval):1: command not found: tidewatch'
const UNREAD = '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>'
const SECRET = `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5`
const ATLAS = { keys: ['/home/dev/atlas'], folders: [], ids: [] }

async function ran(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.runHere(...argv)
  expect(code, stderr).toBe(0)
  return stdout
}

const found = async (...argv: string[]) => JSON.parse(await ran('fix', ...argv, '--json')) as FixAnswer

async function withStore<T>(work: (store: Awaited<ReturnType<typeof openSqlite>>) => Promise<T>): Promise<T> {
  const { database } = JSON.parse(await ran('paths', '--json')) as { database: string }
  const store = await openSqlite({ path: database, clock: () => Date.now() })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const rows = async () =>
  withStore(async ({ read }) => [
    await read.selectFrom('failures').selectAll().orderBy('call_id').orderBy('signature').execute(),
    await read.selectFrom('command_runs').selectAll().orderBy('call_id').execute(),
  ])

const known = (text: string, more: object = {}) =>
  withStore((store) => knownFix(store, { agentId: 'main', project: ATLAS, tool: 'Bash', command: 'tidewatch build', text, ...more }))

beforeAll(async () => {
  home = binaryHome()
  for (let day = 0; day < 3; day += 1) {
    const log = claudeLog(projects(), `f1f1000${day}-0000-4000-8000-000000000000`, { from: START + day * DAY })
    log.turn('Build it.', 'I will build.')
    log.call('Bash', { command: 'tidewatch build' }, NOT_FOUND, true)
    log.turn('And?', 'The reason is that tidewatch is missing from this machine.')
    log.call('Bash', { command: 'brew install tidewatch' }, 'installed')
    log.call('Bash', { command: 'tidewatch build 2>&1 | tail -5' }, 'built')
    log.call('Edit', { file_path: '/home/dev/atlas/src/a.ts', old_string: 'a', new_string: 'b' }, UNREAD, true)
    log.call('Read', { file_path: '/home/dev/atlas/src/a.ts' }, '1→a')
    log.call('Edit', { file_path: '/home/dev/atlas/src/a.ts', old_string: 'a', new_string: 'b' }, 'updated')
    log.call('Bash', { command: 'cd /home/dev/atlas && ATLAS_ZONE=utc npm run test:integration' }, '4 passing')
    log.call('Bash', { command: 'npm test -- --zone' }, 'Exit code 1\nerror: unknown option --zone', true)
    log.call('Bash', { command: 'npm test -- --region' }, '12 passing')
    log.turn('Good.', 'Done.')
  }
  const once = claudeLog(projects(), 'f1f10009-0000-4000-8000-000000000000', { from: START + 4 * DAY })
  once.turn('Deploy.', 'I will.')
  once.call('Bash', { command: `KEY=${SECRET} ship it` }, `Exit code 1\nerror: the key ${SECRET} was refused by the harbour`, true)
  once.call('Edit', { file_path: '/home/dev/atlas/ship.yml', old_string: 'x', new_string: `zone: lighthouse, key: ${SECRET}` }, 'updated')
  once.call('Bash', { command: `KEY=${SECRET} ship it` }, 'shipped')
  once.turn('Well.', 'Done.')
  await ran('sync', '--no-embed')
}, 60_000)
afterAll(() => home.remove())

describe('how', () => {
  it('gives the forms that passed, with variables, and what the failing ones lacked', async () => {
    const answer = JSON.parse(await ran('how', 'are', 'the', 'integration', 'tests', 'run', '--project', 'atlas', '--json')) as HowAnswer
    expect(answer.passed).toMatchObject([{ command: 'npm run test:integration', environment: ['ATLAS_ZONE'], passed: 3, sessions: 3 }])
    const tests = JSON.parse(await ran('how', 'tests', '--project', 'atlas', '--json')) as HowAnswer
    expect(tests.failed).toMatchObject([
      { command: 'npm test -- --zone', failed: 3, lacked: ['--region'], instead: 'npm test -- --region' },
    ])
    expect(await ran('how', 'tests', '--project', 'atlas')).toContain('lacks --region')
    expect((await home.runHere('how', 'zeppelins', '--project', 'atlas')).stderr).toContain('no session ran such a command')
  })
})

describe('fix', () => {
  it('gives what was done between the failure and the success', async () => {
    const { matched, occurrences, total } = await found('bash: line 3: command not found: tidewatch')
    expect([matched, total]).toEqual(['exact', 3])
    expect(occurrences[0]).toMatchObject({
      outcome: 'fixed',
      harness: 'claude-code',
      commands: ['brew install tidewatch'],
      failures: 1,
      turns: 2,
    })
    expect(occurrences[0]?.cause).toBe('The reason is that tidewatch is missing from this machine.')
    expect(await ran('show', occurrences[0]?.id ?? '')).toContain('missing from this machine')
    expect(await ran('fix', 'command not found: tidewatch')).toContain('→ ran `brew install tidewatch`, then it passed')
  })

  it('looks for the words where no signature is the same, and says so', async () => {
    expect(await found('not found: tidew')).toMatchObject({ matched: 'words', total: 3 })
    expect(await found('a thing that nobody ever saw')).toMatchObject({ matched: 'none', occurrences: [] })
    expect((await home.runHere('fix', ' ')).code).toBe(2)
  })

  it('holds no secret', async () => {
    const { occurrences } = await found('error: the key', '--project', 'atlas')
    expect(occurrences).toHaveLength(1)
    for (const text of [JSON.stringify(occurrences), JSON.stringify(await rows())]) {
      expect(text).toContain('lighthouse')
      expect(text).not.toContain(SECRET.slice(4, 20))
    }
  })
})

it('friction lists what came back in three sessions, with what is known', async () => {
  const { friction } = JSON.parse(await ran('friction', '--json')) as { friction: Friction[] }
  const of = (word: string) => friction.find(({ error }) => error.includes(word))
  expect(of('tidewatch')).toMatchObject({ sessions: 3, failures: 3, turns: 6, fix: 'ran `brew install tidewatch`, then it passed' })
  expect(of('read yet')).toMatchObject({ program: 'Edit', fix: 'read the file, then it passed' })
  expect(of('harbour')).toBeUndefined()
})

describe('for hooks', () => {
  it('knows what helped before, of this agent, in this project or with the same tool', async () => {
    expect(await known(NOT_FOUND)).toMatchObject({
      confidence: 1,
      lines: [expect.stringContaining('(3 times)'), 'What helped: ran `brew install tidewatch`, then it passed', expect.any(String)],
    })
    expect(await known('error: something that never was')).toBeUndefined()
    expect(await known(NOT_FOUND, { agentId: 'ops' })).toBeUndefined()
    expect(await known(NOT_FOUND, { before: START })).toBeUndefined()
    // The error says so itself.
    expect(await known(UNREAD, { tool: 'Edit', command: undefined, project: undefined })).toBeUndefined()
    // The project is another: there the same program must have failed.
    expect(await known(NOT_FOUND, { project: undefined })).toBeDefined()
    expect(await known(NOT_FOUND, { project: undefined, command: 'make all' })).toBeUndefined()
    expect(await known(NOT_FOUND, { command: 'make all' })).toBeDefined()
    // One session alone proves nothing of code.
    expect(await known('error: the key of mine was refused by the harbour')).toBeUndefined()
  })

  it('knows the form that passed where this one failed', async () => {
    const form = (command: string, project: typeof ATLAS | undefined = ATLAS) =>
      withStore((store) => passingForm(store, { agentId: 'main', project, command }))
    expect(await form('npm test -- --zone 2>&1')).toMatchObject({ form: 'npm test -- --region', times: 3 })
    expect(await form('npm test -- --region')).toBeUndefined()
    expect(await form('npm test -- --zone', { keys: ['/elsewhere'], folders: [], ids: [] })).toBeUndefined()
  })
})

it('a session that grows is followed on, and a rebuild makes the same rows', async () => {
  const log = claudeLog(projects(), 'f1f10010-0000-4000-8000-000000000000', { from: START + 5 * DAY })
  log.turn('Paint.', 'I will.')
  log.call('Bash', { command: 'paintctl run' }, 'Exit code 1\nerror: the paint is dry', true)
  log.turn('So?', 'Hm.')
  await ran('sync', '--no-embed')
  expect((await found('error: the paint is dry')).occurrences).toMatchObject([{ outcome: 'open', fix: null }])
  log.call('Bash', { command: 'paintctl stir' }, 'stirred')
  log.call('Bash', { command: 'paintctl run' }, 'painted')
  log.turn('Fine.', 'Done.')
  await ran('sync', '--no-embed')
  expect((await found('error: the paint is dry')).occurrences).toMatchObject([{ outcome: 'fixed', commands: ['paintctl stir'] }])
  const before = await rows()
  await ran('rebuild', '--yes')
  expect(await rows()).toEqual(before)
})

it('what is forgotten is in no fix any more', async () => {
  await ran('forget', '--match', 'paintctl stir', '--yes')
  const text = JSON.stringify(await rows())
  expect(text).not.toContain('stir')
  await ran('sync', '--no-embed')
  expect(JSON.stringify(await rows())).not.toContain('stir')
  await ran('forget', '--session', 'f1f10009', '--yes')
  expect(JSON.stringify(await rows())).not.toContain('lighthouse')
})
